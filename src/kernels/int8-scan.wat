;; Finds rows of int8 whose score for a query of int16 may be high or low enough. Rows are padded to blocks of 32
;; columns. Two are taken at a time, one of each half of those asked for, so that each number of the query is read for
;; both: half a block apart that saves an eighth of the time and more, next to each other it costs (of rows a kilobyte
;; apart, several times as much). Even columns are stored plus 128, so that a mask widens them and a shift the odd ones.
;; Sums wrap around at 32 bits; the caller sees to it that what is left without the 128s fits.
(module
  (import "surmise" "memory" (memory 1))

  ;; Writes the numbers from $at to below $to, at least one, whose byte is not 0 as i32; returns how many these are.
  (func (export "select") (param $mask i32) (param $at i32) (param $to i32) (param $list i32) (result i32)
    (local $end i32)
    (local.set $end (local.get $list))
    (loop $rows
      (i32.store (local.get $end) (local.get $at))
      (local.set $end (i32.add (local.get $end)
        (i32.shl (i32.ne (i32.load8_u (i32.add (local.get $mask) (local.get $at))) (i32.const 0)) (i32.const 2))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $rows (i32.lt_u (local.get $at) (local.get $to))))
    (i32.shr_u (i32.sub (local.get $end) (local.get $list)) (i32.const 2)))

  ;; Returns the end of what it wrote from $found on: three f64 for each row found, its number and its score's bounds.
  (func (export "scan")
    (param $rows i32) (param $stride i32) ;; row 0; bytes from one row to the next, a multiple of 32
    (param $list i32) (param $count i32)  ;; an i32 for each row asked for, at least 1; how many
    (param $query i32)                    ;; $stride int16: of each 16 columns the even ones, then the odd ones
    (param $bias i32)                     ;; 128 times the sum of its even columns
    (param $scales i32) (param $errors i32) ;; a float32 for each row
    (param $found i32)                    ;; room for three f64 for each row asked for
    (param $scale f64) (param $slope f64) (param $offset f64)
    (param $top f64) (param $least f64)   ;; found are rows whose score may be at least the one or at most the other
    (result i32)
    (local $half i32) (local $at i32) (local $other i32) (local $row i32) (local $row2 i32)
    (local $place i32) (local $place2 i32) (local $end i32) (local $column i32) (local $hits i32)
    (local $x v128) (local $y v128) (local $q v128) (local $low v128)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local $score v128) (local $error v128) (local $lower v128) (local $upper v128)
    (local.set $low (i16x8.splat (i32.const 255)))
    (local.set $half (i32.shr_u (i32.add (local.get $count) (i32.const 1)) (i32.const 1)))
    (loop $pairs
      ;; The last of an odd number is its own partner.
      (local.set $other (i32.add (local.get $at) (local.get $half)))
      (local.set $other
        (select (local.get $other) (local.get $at) (i32.lt_u (local.get $other) (local.get $count))))
      (local.set $row (i32.load (i32.add (local.get $list) (i32.shl (local.get $at) (i32.const 2)))))
      (local.set $row2 (i32.load (i32.add (local.get $list) (i32.shl (local.get $other) (i32.const 2)))))
      (local.set $place (i32.add (local.get $rows) (i32.mul (local.get $row) (local.get $stride))))
      (local.set $place2 (i32.add (local.get $rows) (i32.mul (local.get $row2) (local.get $stride))))
      (local.set $end (i32.add (local.get $place) (local.get $stride)))
      (local.set $column (local.get $query))
      (local.set $s0 (v128.const i32x4 0 0 0 0))
      (local.set $s1 (v128.const i32x4 0 0 0 0))
      (local.set $s2 (v128.const i32x4 0 0 0 0))
      (local.set $s3 (v128.const i32x4 0 0 0 0))
      (loop $columns
        (local.set $x (v128.load (local.get $place)))
        (local.set $y (v128.load (local.get $place2)))
        (local.set $q (v128.load (local.get $column)))
        (local.set $s0 (i32x4.add (local.get $s0)
          (i32x4.dot_i16x8_s (v128.and (local.get $x) (local.get $low)) (local.get $q))))
        (local.set $s2 (i32x4.add (local.get $s2)
          (i32x4.dot_i16x8_s (v128.and (local.get $y) (local.get $low)) (local.get $q))))
        (local.set $q (v128.load offset=16 (local.get $column)))
        (local.set $s1 (i32x4.add (local.get $s1)
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $x) (i32.const 8)) (local.get $q))))
        (local.set $s3 (i32x4.add (local.get $s3)
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $y) (i32.const 8)) (local.get $q))))
        (local.set $x (v128.load offset=16 (local.get $place)))
        (local.set $y (v128.load offset=16 (local.get $place2)))
        (local.set $q (v128.load offset=32 (local.get $column)))
        (local.set $s0 (i32x4.add (local.get $s0)
          (i32x4.dot_i16x8_s (v128.and (local.get $x) (local.get $low)) (local.get $q))))
        (local.set $s2 (i32x4.add (local.get $s2)
          (i32x4.dot_i16x8_s (v128.and (local.get $y) (local.get $low)) (local.get $q))))
        (local.set $q (v128.load offset=48 (local.get $column)))
        (local.set $s1 (i32x4.add (local.get $s1)
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $x) (i32.const 8)) (local.get $q))))
        (local.set $s3 (i32x4.add (local.get $s3)
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $y) (i32.const 8)) (local.get $q))))
        (local.set $column (i32.add (local.get $column) (i32.const 64)))
        (local.set $place2 (i32.add (local.get $place2) (i32.const 32)))
        (local.set $place (i32.add (local.get $place) (i32.const 32)))
        (br_if $columns (i32.lt_u (local.get $place) (local.get $end))))
      (local.set $s0 (i32x4.add (local.get $s0) (local.get $s1)))
      (local.set $s2 (i32x4.add (local.get $s2) (local.get $s3)))
      ;; Both at once from here on, in lanes 0 and 1.
      (local.set $s0 (i32x4.add
        (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $s0) (local.get $s2))
        (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $s0) (local.get $s2))))
      (local.set $s0 (i32x4.sub
        (i32x4.add (local.get $s0)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $s0) (local.get $s0)))
        (i32x4.splat (local.get $bias))))
      (local.set $place (i32.shl (local.get $row) (i32.const 2)))
      (local.set $place2 (i32.shl (local.get $row2) (i32.const 2)))
      (local.set $score (f64x2.mul
        (f64x2.mul (f64x2.splat (local.get $scale)) (f64x2.promote_low_f32x4
          (v128.load32_lane 1 (i32.add (local.get $scales) (local.get $place2))
            (v128.load32_zero (i32.add (local.get $scales) (local.get $place))))))
        (f64x2.convert_low_i32x4_s (local.get $s0))))
      (local.set $error (f64x2.add
        (f64x2.mul (f64x2.splat (local.get $slope)) (f64x2.promote_low_f32x4
          (v128.load32_lane 1 (i32.add (local.get $errors) (local.get $place2))
            (v128.load32_zero (i32.add (local.get $errors) (local.get $place))))))
        (f64x2.splat (local.get $offset))))
      (local.set $upper (f64x2.add (local.get $score) (local.get $error)))
      (local.set $lower (f64x2.sub (local.get $score) (local.get $error)))
      (local.set $hits (i64x2.bitmask (v128.or
        (f64x2.ge (local.get $upper) (f64x2.splat (local.get $top)))
        (f64x2.le (local.get $lower) (f64x2.splat (local.get $least))))))
      (if (local.get $hits)
        (then
          (if (i32.and (local.get $hits) (i32.const 1))
            (then
              (f64.store (local.get $found) (f64.convert_i32_u (local.get $row)))
              (f64.store offset=8 (local.get $found) (f64x2.extract_lane 0 (local.get $lower)))
              (f64.store offset=16 (local.get $found) (f64x2.extract_lane 0 (local.get $upper)))
              (local.set $found (i32.add (local.get $found) (i32.const 24)))))
          (if (i32.and (i32.ge_u (local.get $hits) (i32.const 2)) (i32.ne (local.get $at) (local.get $other)))
            (then
              (f64.store (local.get $found) (f64.convert_i32_u (local.get $row2)))
              (f64.store offset=8 (local.get $found) (f64x2.extract_lane 1 (local.get $lower)))
              (f64.store offset=16 (local.get $found) (f64x2.extract_lane 1 (local.get $upper)))
              (local.set $found (i32.add (local.get $found) (i32.const 24)))))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $pairs (i32.lt_u (local.get $at) (local.get $half))))
    (local.get $found)))

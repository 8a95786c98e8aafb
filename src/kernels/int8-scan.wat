;; Finds rows of int8 whose score for a query of int16 may be high or low enough. Rows are padded to blocks of 32
;; columns and read one after another: two at a time, a kilobyte apart, took three times as long. Even columns are
;; stored plus 128, so that a mask widens them and a shift the odd ones. Sums wrap around at 32 bits; the caller sees to
;; it that what is left without the 128s fits.
(module
  (import "surmise" "memory" (memory 1))

  ;; Returns the end of what it wrote from $found on: for each row found its number and its dot product.
  (func (export "scan")
    (param $row i32) (param $stride i32) ;; the first row; bytes from one row to the next, a multiple of 32
    (param $mask i32)                    ;; a byte for each row, 0 where it is to be passed over
    (param $count i32)                   ;; rows, at least 1
    (param $query i32)                   ;; $stride int16: of each 16 columns the even ones, then the odd ones
    (param $bias i32)                    ;; 128 times the sum of its even columns
    (param $scales i32) (param $errors i32) ;; a float32 for each row
    (param $found i32)                   ;; room for two i32 for each row
    (param $scale f64) (param $slope f64) (param $offset f64)
    (param $top f64) (param $least f64)  ;; found are rows whose score may be at least the one or at most the other
    (result i32)
    (local $at i32) (local $next i32) (local $column i32) (local $dot i32) (local $score f64) (local $error f64)
    (local $x v128) (local $low v128) (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local.set $low (i16x8.splat (i32.const 255)))
    (loop $rows
      (local.set $next (i32.add (local.get $row) (local.get $stride)))
      (if (i32.load8_u (i32.add (local.get $mask) (local.get $at)))
        (then
          (local.set $column (local.get $query))
          (local.set $s0 (v128.const i32x4 0 0 0 0))
          (local.set $s1 (v128.const i32x4 0 0 0 0))
          (local.set $s2 (v128.const i32x4 0 0 0 0))
          (local.set $s3 (v128.const i32x4 0 0 0 0))
          (loop $columns
            (local.set $x (v128.load (local.get $row)))
            (local.set $s0 (i32x4.add (local.get $s0) (i32x4.dot_i16x8_s
              (v128.and (local.get $x) (local.get $low)) (v128.load (local.get $column)))))
            (local.set $s1 (i32x4.add (local.get $s1) (i32x4.dot_i16x8_s
              (i16x8.shr_s (local.get $x) (i32.const 8)) (v128.load offset=16 (local.get $column)))))
            (local.set $x (v128.load offset=16 (local.get $row)))
            (local.set $s2 (i32x4.add (local.get $s2) (i32x4.dot_i16x8_s
              (v128.and (local.get $x) (local.get $low)) (v128.load offset=32 (local.get $column)))))
            (local.set $s3 (i32x4.add (local.get $s3) (i32x4.dot_i16x8_s
              (i16x8.shr_s (local.get $x) (i32.const 8)) (v128.load offset=48 (local.get $column)))))
            (local.set $column (i32.add (local.get $column) (i32.const 64)))
            (local.set $row (i32.add (local.get $row) (i32.const 32)))
            (br_if $columns (i32.lt_u (local.get $row) (local.get $next))))
          (local.set $s0 (i32x4.add
            (i32x4.add (local.get $s0) (local.get $s1))
            (i32x4.add (local.get $s2) (local.get $s3))))
          (local.set $s0 (i32x4.add (local.get $s0)
            (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $s0) (local.get $s0))))
          (local.set $dot (i32.sub
            (i32.add (i32x4.extract_lane 0 (local.get $s0)) (i32x4.extract_lane 1 (local.get $s0)))
            (local.get $bias)))
          (local.set $score (f64.mul
            (f64.mul (local.get $scale) (f64.promote_f32 (f32.load
              (i32.add (local.get $scales) (i32.shl (local.get $at) (i32.const 2))))))
            (f64.convert_i32_s (local.get $dot))))
          (local.set $error (f64.add
            (f64.mul (local.get $slope) (f64.promote_f32 (f32.load
              (i32.add (local.get $errors) (i32.shl (local.get $at) (i32.const 2))))))
            (local.get $offset)))
          (if (i32.or
            (f64.ge (f64.add (local.get $score) (local.get $error)) (local.get $top))
            (f64.le (f64.sub (local.get $score) (local.get $error)) (local.get $least)))
            (then
              (i32.store (local.get $found) (local.get $at))
              (i32.store offset=4 (local.get $found) (local.get $dot))
              (local.set $found (i32.add (local.get $found) (i32.const 8)))))))
      (local.set $row (local.get $next))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $rows (i32.lt_u (local.get $at) (local.get $count))))
    (local.get $found)))

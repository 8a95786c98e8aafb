;; Finds rows of float32 whose dot product with a query may be high or low enough. Two rows are taken at a time, from the
;; two halves of those asked for, as in int8-scan.wat. Columns are taken by 16; those beyond a row, where the query has
;; zeros, are of the next one.
(module
  (import "surmise" "memory" (memory 1))

  ;; Returns the end of what it wrote from $found on: three f64 for each row found, its number and its score's bounds.
  (func (export "scan")
    (param $rows i32) (param $dimensions i32) ;; row 0, behind the last row 60 bytes more
    (param $list i32) (param $count i32)  ;; an i32 for each row asked for, at least 1; how many
    (param $query i32)                    ;; $dimensions float32, and zeros up to a multiple of 16
    (param $found i32)                    ;; room for three f64 for each row asked for
    (param $error f64)                    ;; how far a score may be from the exact one
    (param $top f64) (param $least f64)   ;; found are rows whose score may be at least the one or at most the other
    (result i32)
    (local $half i32) (local $at i32) (local $other i32) (local $row i32) (local $row2 i32)
    (local $stride i32) (local $padded i32) (local $place i32) (local $place2 i32) (local $end i32)
    (local $column i32) (local $hits i32)
    (local $q v128) (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local $score v128) (local $bound v128) (local $lower v128) (local $upper v128)
    (local.set $stride (i32.shl (local.get $dimensions) (i32.const 2)))
    (local.set $padded (i32.and (i32.add (local.get $stride) (i32.const 63)) (i32.const -64)))
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
      (local.set $column (local.get $query))
      (local.set $s0 (v128.const i32x4 0 0 0 0))
      (local.set $s1 (v128.const i32x4 0 0 0 0))
      (local.set $s2 (v128.const i32x4 0 0 0 0))
      (local.set $s3 (v128.const i32x4 0 0 0 0))
      (local.set $end (i32.add (local.get $place) (local.get $padded)))
      (loop $columns
        (local.set $q (v128.load (local.get $column)))
        (local.set $s0 (f32x4.add (local.get $s0)
          (f32x4.mul (v128.load (local.get $place)) (local.get $q))))
        (local.set $s2 (f32x4.add (local.get $s2)
          (f32x4.mul (v128.load (local.get $place2)) (local.get $q))))
        (local.set $q (v128.load offset=16 (local.get $column)))
        (local.set $s1 (f32x4.add (local.get $s1)
          (f32x4.mul (v128.load offset=16 (local.get $place)) (local.get $q))))
        (local.set $s3 (f32x4.add (local.get $s3)
          (f32x4.mul (v128.load offset=16 (local.get $place2)) (local.get $q))))
        (local.set $q (v128.load offset=32 (local.get $column)))
        (local.set $s0 (f32x4.add (local.get $s0)
          (f32x4.mul (v128.load offset=32 (local.get $place)) (local.get $q))))
        (local.set $s2 (f32x4.add (local.get $s2)
          (f32x4.mul (v128.load offset=32 (local.get $place2)) (local.get $q))))
        (local.set $q (v128.load offset=48 (local.get $column)))
        (local.set $s1 (f32x4.add (local.get $s1)
          (f32x4.mul (v128.load offset=48 (local.get $place)) (local.get $q))))
        (local.set $s3 (f32x4.add (local.get $s3)
          (f32x4.mul (v128.load offset=48 (local.get $place2)) (local.get $q))))
        (local.set $column (i32.add (local.get $column) (i32.const 64)))
        (local.set $place2 (i32.add (local.get $place2) (i32.const 64)))
        (local.set $place (i32.add (local.get $place) (i32.const 64)))
        (br_if $columns (i32.lt_u (local.get $place) (local.get $end))))
      (local.set $s0 (f32x4.add (local.get $s0) (local.get $s1)))
      (local.set $s2 (f32x4.add (local.get $s2) (local.get $s3)))
      ;; Both rows at once from here on, in lanes 0 and 1.
      (local.set $s0 (f32x4.add
        (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $s0) (local.get $s2))
        (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $s0) (local.get $s2))))
      (local.set $score (f64x2.promote_low_f32x4 (f32x4.add (local.get $s0)
        (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $s0) (local.get $s0)))))
      ;; No number where the sum is none, or is more than float32 can hold: then the score may be anything.
      (local.set $bound (f64x2.add (f64x2.splat (local.get $error))
        (f64x2.mul (local.get $score) (f64x2.splat (f64.const 0)))))
      (local.set $upper
        (f64x2.pmin (f64x2.splat (f64.const inf)) (f64x2.add (local.get $score) (local.get $bound))))
      (local.set $lower
        (f64x2.pmax (f64x2.splat (f64.const -inf)) (f64x2.sub (local.get $score) (local.get $bound))))
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

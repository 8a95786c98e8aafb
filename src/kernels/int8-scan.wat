;; Dot products of int8 rows with an int16 query, as whole numbers, and which rows they leave in question. Rows are padded
;; with zeros to blocks of 32 columns and read in pairs, one pair after another: two rows share what is loaded of the query,
;; and more at once would be read from too many places. The caller keeps every sum below 2^31.
(module
  (import "surmise" "memory" (memory 1))

  ;; Returns the end of what it wrote from $found on: for each row in question its number and its dot product.
  (func (export "scan")
    (param $row i32) (param $stride i32) ;; the first row; bytes from one row to the next, a multiple of 32
    (param $mask i32)                    ;; a byte for each row, 0 where it is to be passed over
    (param $count i32)                   ;; an even number of rows, at least 2
    (param $start i32)                   ;; $stride int16: the query
    (param $scales i32) (param $errors i32) ;; a float32 for each row
    (param $found i32)                   ;; room for two i32 for each row
    (param $scale f64) (param $slope f64) (param $offset f64)
    (param $top f64) (param $least f64)
    (result i32)
    (local $at i32) (local $second i32) (local $end i32) (local $column i32) (local $score v128) (local $error v128)
    (local $query v128) (local $a0 v128) (local $a1 v128) (local $b0 v128) (local $b1 v128)
    (loop $pairs
      (local.set $end (i32.add (local.get $row) (local.get $stride)))
      (local.set $second (local.get $end))
      (if (i32.load16_u align=1 (i32.add (local.get $mask) (local.get $at)))
        (then
          (local.set $column (local.get $start))
          (local.set $a0 (v128.const i32x4 0 0 0 0))
          (local.set $a1 (v128.const i32x4 0 0 0 0))
          (local.set $b0 (v128.const i32x4 0 0 0 0))
          (local.set $b1 (v128.const i32x4 0 0 0 0))
          (loop $columns
            (local.set $query (v128.load (local.get $column)))
            (local.set $a0 (i32x4.add (local.get $a0) (i32x4.dot_i16x8_s
              (v128.load8x8_s (local.get $row)) (local.get $query))))
            (local.set $b0 (i32x4.add (local.get $b0) (i32x4.dot_i16x8_s
              (v128.load8x8_s (local.get $second)) (local.get $query))))
            (local.set $query (v128.load offset=16 (local.get $column)))
            (local.set $a1 (i32x4.add (local.get $a1) (i32x4.dot_i16x8_s
              (v128.load8x8_s offset=8 (local.get $row)) (local.get $query))))
            (local.set $b1 (i32x4.add (local.get $b1) (i32x4.dot_i16x8_s
              (v128.load8x8_s offset=8 (local.get $second)) (local.get $query))))
            (local.set $query (v128.load offset=32 (local.get $column)))
            (local.set $a0 (i32x4.add (local.get $a0) (i32x4.dot_i16x8_s
              (v128.load8x8_s offset=16 (local.get $row)) (local.get $query))))
            (local.set $b0 (i32x4.add (local.get $b0) (i32x4.dot_i16x8_s
              (v128.load8x8_s offset=16 (local.get $second)) (local.get $query))))
            (local.set $query (v128.load offset=48 (local.get $column)))
            (local.set $a1 (i32x4.add (local.get $a1) (i32x4.dot_i16x8_s
              (v128.load8x8_s offset=24 (local.get $row)) (local.get $query))))
            (local.set $b1 (i32x4.add (local.get $b1) (i32x4.dot_i16x8_s
              (v128.load8x8_s offset=24 (local.get $second)) (local.get $query))))
            (local.set $column (i32.add (local.get $column) (i32.const 64)))
            (local.set $row (i32.add (local.get $row) (i32.const 32)))
            (local.set $second (i32.add (local.get $second) (i32.const 32)))
            (br_if $columns (i32.lt_u (local.get $row) (local.get $end))))
          (local.set $a0 (i32x4.add (local.get $a0) (local.get $a1)))
          (local.set $b0 (i32x4.add (local.get $b0) (local.get $b1)))
          ;; The first row's sums in the low half, the second row's in the high half; then both dot products in the low one.
          (local.set $a0 (i32x4.add
            (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a0) (local.get $b0))
            (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a0) (local.get $b0))))
          (local.set $a0 (i32x4.add (local.get $a0)
            (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $a0) (local.get $a0))))
          (local.set $a0 (i8x16.shuffle 0 1 2 3 8 9 10 11 0 1 2 3 8 9 10 11 (local.get $a0) (local.get $a0)))
          (local.set $score (f64x2.mul
            (f64x2.mul (f64x2.splat (local.get $scale)) (f64x2.promote_low_f32x4 (v128.load64_zero
              (i32.add (local.get $scales) (i32.shl (local.get $at) (i32.const 2))))))
            (f64x2.convert_low_i32x4_s (local.get $a0))))
          (local.set $error (f64x2.add
            (f64x2.mul (f64x2.splat (local.get $slope)) (f64x2.promote_low_f32x4 (v128.load64_zero
              (i32.add (local.get $errors) (i32.shl (local.get $at) (i32.const 2))))))
            (f64x2.splat (local.get $offset))))
          (local.set $score (v128.or
            (f64x2.ge (f64x2.add (local.get $score) (local.get $error)) (f64x2.splat (local.get $top)))
            (f64x2.le (f64x2.sub (local.get $score) (local.get $error)) (f64x2.splat (local.get $least)))))
          (if (v128.any_true (local.get $score))
            (then
              (if (i32.and
                (i32.load8_u (i32.add (local.get $mask) (local.get $at)))
                (i32.wrap_i64 (i64x2.extract_lane 0 (local.get $score))))
                (then
                  (i32.store (local.get $found) (local.get $at))
                  (i32.store offset=4 (local.get $found) (i32x4.extract_lane 0 (local.get $a0)))
                  (local.set $found (i32.add (local.get $found) (i32.const 8)))))
              (if (i32.and
                (i32.load8_u offset=1 (i32.add (local.get $mask) (local.get $at)))
                (i32.wrap_i64 (i64x2.extract_lane 1 (local.get $score))))
                (then
                  (i32.store (local.get $found) (i32.add (local.get $at) (i32.const 1)))
                  (i32.store offset=4 (local.get $found) (i32x4.extract_lane 1 (local.get $a0)))
                  (local.set $found (i32.add (local.get $found) (i32.const 8)))))))))
      (local.set $row (i32.add (local.get $end) (local.get $stride)))
      (local.set $at (i32.add (local.get $at) (i32.const 2)))
      (br_if $pairs (i32.lt_u (local.get $at) (local.get $count))))
    (local.get $found)))

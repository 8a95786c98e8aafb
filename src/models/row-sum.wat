;; Sums rows of an int8 table, each times its own scale, in float32: products and sums are rounded one by one, in the
;; order of the rows. Rows are padded to whole blocks of 32 columns.
(module
  (import "surmise" "memory" (memory 1))

  (func (export "add")
    (param $values i32) (param $stride i32) ;; the table; bytes from one row to the next, a multiple of 32
    (param $scales i32)                     ;; a float32 for each row of the table
    (param $rows i32) (param $count i32)    ;; u32 numbers of the rows to add
    (param $sum i32)                        ;; $stride float32, to which they are added
    (local $column i32) (local $next i32) (local $end i32) (local $row i32)
    (local $scale v128) (local $eight v128)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local $s4 v128) (local $s5 v128) (local $s6 v128) (local $s7 v128)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (loop $block
      ;; All rows over one block of columns: its eight sums stay in registers.
      (local.set $s0 (v128.load (local.get $sum)))
      (local.set $s1 (v128.load offset=16 (local.get $sum)))
      (local.set $s2 (v128.load offset=32 (local.get $sum)))
      (local.set $s3 (v128.load offset=48 (local.get $sum)))
      (local.set $s4 (v128.load offset=64 (local.get $sum)))
      (local.set $s5 (v128.load offset=80 (local.get $sum)))
      (local.set $s6 (v128.load offset=96 (local.get $sum)))
      (local.set $s7 (v128.load offset=112 (local.get $sum)))
      (local.set $next (local.get $rows))
      (block $done
        (loop $each
          (br_if $done (i32.ge_u (local.get $next) (local.get $end)))
          (local.set $row (i32.load (local.get $next)))
          (local.set $next (i32.add (local.get $next) (i32.const 4)))
          (local.set $scale
            (v128.load32_splat (i32.add (local.get $scales) (i32.shl (local.get $row) (i32.const 2)))))
          (local.set $row
            (i32.add
              (i32.add (local.get $values) (local.get $column))
              (i32.mul (local.get $row) (local.get $stride))))
          (local.set $eight (v128.load8x8_s (local.get $row)))
          (local.set $s0 (f32x4.add (local.get $s0) (f32x4.mul (local.get $scale)
            (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $eight))))))
          (local.set $s1 (f32x4.add (local.get $s1) (f32x4.mul (local.get $scale)
            (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $eight))))))
          (local.set $eight (v128.load8x8_s offset=8 (local.get $row)))
          (local.set $s2 (f32x4.add (local.get $s2) (f32x4.mul (local.get $scale)
            (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $eight))))))
          (local.set $s3 (f32x4.add (local.get $s3) (f32x4.mul (local.get $scale)
            (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $eight))))))
          (local.set $eight (v128.load8x8_s offset=16 (local.get $row)))
          (local.set $s4 (f32x4.add (local.get $s4) (f32x4.mul (local.get $scale)
            (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $eight))))))
          (local.set $s5 (f32x4.add (local.get $s5) (f32x4.mul (local.get $scale)
            (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $eight))))))
          (local.set $eight (v128.load8x8_s offset=24 (local.get $row)))
          (local.set $s6 (f32x4.add (local.get $s6) (f32x4.mul (local.get $scale)
            (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $eight))))))
          (local.set $s7 (f32x4.add (local.get $s7) (f32x4.mul (local.get $scale)
            (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $eight))))))
          (br $each)))
      (v128.store (local.get $sum) (local.get $s0))
      (v128.store offset=16 (local.get $sum) (local.get $s1))
      (v128.store offset=32 (local.get $sum) (local.get $s2))
      (v128.store offset=48 (local.get $sum) (local.get $s3))
      (v128.store offset=64 (local.get $sum) (local.get $s4))
      (v128.store offset=80 (local.get $sum) (local.get $s5))
      (v128.store offset=96 (local.get $sum) (local.get $s6))
      (v128.store offset=112 (local.get $sum) (local.get $s7))
      (local.set $sum (i32.add (local.get $sum) (i32.const 128)))
      (local.set $column (i32.add (local.get $column) (i32.const 32)))
      (br_if $block (i32.lt_u (local.get $column) (local.get $stride))))))

;; Sums float32 numbers: the least that a scan of float32 rows has to do is to read them.
(module
  (memory (export "memory") 1 65536)
  (func (export "sum") (param $at i32) (param $bytes i32) (result f32)
    (local $end i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $end (i32.add (local.get $at) (local.get $bytes)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $a (f32x4.add (local.get $a) (v128.load (local.get $at))))
        (local.set $b (f32x4.add (local.get $b) (v128.load offset=16 (local.get $at))))
        (local.set $c (f32x4.add (local.get $c) (v128.load offset=32 (local.get $at))))
        (local.set $d (f32x4.add (local.get $d) (v128.load offset=48 (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $next)))
    (local.set $a (f32x4.add (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
      (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a))))))

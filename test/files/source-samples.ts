/** A small program for each language that a grammar reads: one container, two members, a function with a comment. */
export const samples: Readonly<Record<string, string>> = {
  'a.ts': `import { Bee } from 'bee';

/* 🗼 Grüße aus 東京 */

/** Bees. */
@sealed
export class Hive<T> extends Box {
  count = 1;

  /** How many. */
  @cached
  size(of: T): number {
    return 1;
  } // all

  static async open() {}
}
// Twice as many.
export const twice = (n: number) => {
  return 2 * n;
};

run();
`,
  'a.tsx':
    'class Hive {\n  draw() {\n    return <b>🐝</b>;\n  }\n}\n\n// Draws.\nfunction Bee() {\n  return <i />;\n}\n',
  'a.js': '// 🐝\n\nclass Hive {\n  size() {}\n\n  grow = () => {};\n}\n\n/** Then. */\nfunction* each() {}\n',
  'a.py':
    '"""🐝 Bees."""\nimport os\n\nclass Hive(Box):\n    # One.\n    @cached\n    def size(self):\n        return 1\n\n    async def open(self): pass\n\n# Outside.\n@dec\n@dec2(1)\ndef count(a):\n    return a\n\nprint(Hive())\n',
  'a.go':
    'package hive // 🐝\n\n// Hive holds bees.\ntype Hive struct {\n\tn int\n}\n\n// Size counts.\nfunc (h *Hive) Size() int {\n\treturn h.n\n}\n\nvar one = 1\n',
  'a.rs':
    '//! 🐝\n\n/// Bees.\n#[derive(Debug)]\npub struct Hive {\n    n: u32,\n}\n\nimpl Hive {\n    /// Counts.\n    #[inline]\n    pub fn size(&self) -> u32 {\n        self.n\n    }\n}\n\nmod tests {\n    fn one() {}\n}\n',
  'a.java':
    'package hive; // 🐝\n\n/** Bees. */\n@Sealed\npublic class Hive {\n    int n;\n\n    /** Counts. */\n    @Override\n    public int size() {\n        return n;\n    }\n\n    Hive() {}\n}\n',
  'a.cs':
    '// 🐝\n\nnamespace Bees\n{\n    /// <summary>Bees.</summary>\n    [Sealed]\n    public class Hive\n    {\n        public int N { get; set; }\n\n        [Pure]\n        public int Size() => N;\n    }\n}\n',
  'a.cpp':
    '#include <bee> // 🐝\n\n// Bees.\ntemplate <class T>\nclass Hive {\npublic:\n  int size() { return n; }\n\n  int n;\n};\n\nnamespace bees {\n// Counts.\nint count() { return 1; }\n}\n\n#ifdef ONE\nstatic int one(struct hive *h)\n{\n  return 1;\n}\n#endif\n',
  'a.rb':
    '# 🐝\n\nmodule Bees\n  # Bees.\n  class Hive < Box\n    attr_reader :n\n\n    # Counts.\n    def size(a)\n      @n\n    end\n\n    private def one; end\n  end\nend\n',
  'a.php':
    '<?php // 🐝\nnamespace Bees;\n\n/** Bees. */\n#[Sealed]\nclass Hive extends Box {\n    use Bee;\n\n    /** Counts. */\n    public function size(): int {\n        return 1;\n    }\n}\n\nfunction count_all() {}\n',
  'a.sh': '#!/bin/bash\necho 🐝\n\n# Counts.\nsize() {\n  echo 1\n}\n\nfunction open_hive {\n  echo 2\n}\n',
};

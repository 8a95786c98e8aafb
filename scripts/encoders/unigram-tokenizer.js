/** Above this many characters that become the same, a rule for them is worth writing beside NFKC. */
const manyCharacters = 400;

/**
 * A vocabulary of SentencePiece's unigram kind as `tokenizer.json`. Its table of single characters is written as NFKC,
 * and as rules where whole classes become nothing, a blank, or one and the same.
 */
export function unigramTokenizer({ pieces, scores, normalised, begin, end, padding, unknown }) {
  const marks = { '<s>': begin, '<pad>': padding, '</s>': end, '<unk>': unknown };
  const vocab = pieces.map((piece, i) => [piece, scores[i]]);
  for (const [name, id] of Object.entries(marks)) vocab[id] = [name, 0];

  const classes = new Map();
  for (const { from, to } of normalised) {
    const isHalf = from >= 0xd800 && from < 0xe000;
    if (isHalf || String.fromCodePoint(from).normalize('NFKC') === to) continue;
    classes.set(to, [...(classes.get(to) ?? []), String.fromCodePoint(from)]);
  }
  const rules = [...classes]
    .filter(([to, characters]) => characters.length > manyCharacters || to === '' || to === ' ')
    .map(([to, characters]) => replacing(`[${characters.join('').replace(/[\\\]^-]/g, '\\$&')}]`, to));

  const mark = (name) => ({ SpecialToken: { id: name, type_id: 0 } });
  const sequence = (id) => ({ Sequence: { id, type_id: 0 } });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: Object.entries(marks)
      .sort(([, a], [, b]) => a - b)
      .map(([content, id]) => ({
        id,
        content,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: true,
      })),
    normalizer: { type: 'Sequence', normalizers: [...rules, { type: 'NFKC' }, replacing(' {2,}', ' ')] },
    pre_tokenizer: { type: 'Metaspace', replacement: '\u2581', prepend_scheme: 'always', split: true },
    post_processor: {
      type: 'TemplateProcessing',
      single: [mark('<s>'), sequence('A'), mark('</s>')],
      pair: [mark('<s>'), sequence('A'), mark('</s>'), mark('</s>'), sequence('B'), mark('</s>')],
      special_tokens: Object.fromEntries(
        ['<s>', '</s>'].map((name) => [name, { id: name, ids: [marks[name]], tokens: [name] }]),
      ),
    },
    decoder: { type: 'Metaspace', replacement: '\u2581', prepend_scheme: 'always', split: true },
    model: { type: 'Unigram', unk_id: unknown, vocab, byte_fallback: false },
  };
}

function replacing(pattern, content) {
  return { type: 'Replace', pattern: { Regex: pattern }, content };
}

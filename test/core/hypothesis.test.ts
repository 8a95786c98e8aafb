import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanHypothesis } from '../../src/core/hypothesis.js';

const question = 'How do I bleed a radiator?';
const passage = 'Open the valve of the radiator a quarter turn until the air has left and water comes.';
const clean = (raw: string, asked = question) => cleanHypothesis(raw, asked);

describe('wrappers come off', () => {
  test.each<[string, string]>([
    ['nothing to take off', passage],
    ['white space', `\n\n  ${passage}\t\n`],
    ['a closed thinking block', `<think>Heating. Valve?</think>\n\n${passage}`],
    ['two thinking blocks, in capitals', `<THINK>a</THINK> <Reasoning effort="low">b\nc</Reasoning>${passage}`],
    ['chat tokens', `<|im_start|>assistant\n${passage}<|im_end|>`],
    ['other chat tokens', `<s>[INST] [/INST]${passage}</s><|endoftext|>`],
    ['tokens with a role', `<start_of_turn>model\n${passage}<end_of_turn>`],
    ['a header with a role', `<|start_header_id|>assistant<|end_header_id|>\n\n${passage}<|eot_id|>`],
    [
      'channels',
      `<|channel|>analysis<|message|>The user wants heat.<|end|><|start|>assistant<|channel|>final<|message|>${passage}`,
    ],
    ['a fence', `\`\`\`markdown\n${passage}\n\`\`\``],
    ['a fence of tildes, longer', `~~~~\n${passage}\n~~~~\n`],
    ['a line that announces', `Sure! Here is a passage that answers your question:\n\n${passage}`],
    ['an announcement on the same line', `Here's a passage on radiators: ${passage}`],
    ['a curly apostrophe', `Here’s the passage:\n${passage}`],
    ['an announcement before a fence', `Of course. Here it is:\n\`\`\`\n${passage}\n\`\`\``],
    ['an announcement in a fence', `\`\`\`\nHere is the passage:\n${passage}\n\`\`\``],
    ['a label', `Passage: ${passage}`],
    ['a bold label', `**Passage:** ${passage}`],
    ['an announcement in Spanish', `Aquí tienes un pasaje:\n${passage}`],
    ['in French', `Voici le passage :\n${passage}`],
    ['in German', `Hier ist der Abschnitt:\n${passage}`],
    ['in Chinese', `以下是一段文字：\n${passage}`],
  ])('%s', (_, raw) => expect(clean(raw)).toEqual({ text: passage }));
});

describe('what can not serve is dropped', () => {
  test.each<[string, string]>([
    ['empty', ''],
    ['empty', ' \n\t '],
    ['empty', '<think>only this</think>'],
    ['empty', '<|im_start|><|im_end|>'],
    ['empty', '```\n\n```'],
    ['empty', '!!! ... ??? --- *** ~~~ +++ ###'],
    ['empty', 'Here is the passage:'],
    ['empty', '<|channel|>analysis<|message|>The user asks about heating, so I have to'],
    ['unfinished thinking', `<think>The user asks about heating, so I have to`],
    ['unfinished thinking', `The template opened it already.</think>${passage}`],
    ['unfinished thinking', `<think>one</think><scratchpad>two ${passage}`],
    ['refusal', "I'm sorry, but I can't help with that request."],
    ['refusal', 'I’m unable to answer this question without more context.'],
    ['refusal', 'I cannot provide medical advice on this matter.'],
    ['refusal', 'Unfortunately, I don’t have access to that information.'],
    ['refusal', 'I apologize, but the question is not clear to me.'],
    ['refusal', 'As an AI language model, I have no radiators.'],
    ['refusal', 'Sure, here you go:\nI am an AI and have no home to heat.'],
    ['refusal', 'Lo siento, pero no puedo ayudar con eso.'],
    ['refusal', 'Desculpe, não consigo responder a isso.'],
    ['refusal', 'Je suis désolé, mais je ne peux pas répondre.'],
    ['refusal', 'Désolé, cette demande ne peut être traitée.'],
    ['refusal', 'Es tut mir leid, dazu kann ich nichts sagen.'],
    ['refusal', 'Ich kann Ihnen dabei leider nicht helfen, fragen Sie anderswo.'],
    ['refusal', 'Mi dispiace, ma non posso aiutarti con questo.'],
    ['refusal', 'Извините, я не могу ответить на этот вопрос.'],
    ['refusal', '抱歉，我无法回答这个问题，请换一个问题。'],
    ['refusal', '申し訳ありませんが、その質問にはお答えできません。'],
    ['refusal', '죄송합니다. 그 질문에는 답변할 수 없습니다.'],
    ['refusal', 'عذرًا، لا أستطيع الإجابة عن هذا السؤال.'],
    ['placeholder', 'The capital of [insert country] lies by the sea.'],
    ['placeholder', 'Dear [Name], your radiator was bled on Monday.'],
    ['placeholder', 'The valve of {{brand}} opens to the left side.'],
    ['placeholder', 'Lorem ipsum dolor sit amet, radiator.'],
    ['copy of the question', question],
    ['copy of the question', '  how do i BLEED a radiator ?!'],
    ['copy of the question', '"How do I bleed a radiator?"'],
    ['too short', 'Open the valve.'],
    ['too short', '水が出るま'],
    ['too long', 'word '.repeat(1_601)],
    ['too long', 'x'.repeat(32_001)],
  ])('%s: %j', (reason, raw) => expect(clean(raw)).toEqual({ dropped: reason }));

  test.each<[string, string]>([
    ['怎么给暖气片放气？', '怎么给暖气片放气'],
    ['¿Cómo purgo un radiador?', 'cómo purgo un radiador'],
    ['Как спустить воздух из батареи?', '«Как спустить воздух из батареи»'],
  ])('a copy of %s', (asked, raw) => expect(clean(raw, asked)).toEqual({ dropped: 'copy of the question' }));
});

describe('what only looks bad stays as it is', () => {
  test.each([
    'Here is the thing about valves: turn them slowly: a quarter turn is enough.',
    'Sorry is a board game for two to four players.',
    'The think tank wrote a report on heating in old houses.',
    'Run `bleed --valve 3` and then ```reset``` the pump of the boiler.',
    'See [your manual](https://example.org/manual) for the torque of the valve.',
    'As an airline grows, its older jets are sold on to others.',
    '打开散热器阀门四分之一圈',
    'เปิดวาล์วหม้อน้ำ',
    'Ouvrez la vis de purge jusqu’à ce que l’eau sorte.',
    'Step 1 < step 2 | step 3 > step 4 in every case.',
  ])('%s', (raw) => expect(clean(raw)).toEqual({ text: raw }));
});

test('the text is in NFC', () => {
  const raw = 'Le chauffage a e\u0301te\u0301 purge\u0301 hier matin.';
  expect(clean(raw)).toEqual({ text: raw.normalize('NFC') });
});

test('whatever comes in, what goes out is dropped with a reason, or trimmed and of a fair length', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom('<think>', '</think>', '<|x|>', '```', '~~~', '\n', '[INST]', 'Sure: ', '{{', '}}', passage),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.string(), (parts, asked) => {
      const cleaned = cleanHypothesis(parts.join(''), asked);
      if ('dropped' in cleaned) expect(cleaned.dropped).not.toBe('');
      else {
        expect(cleaned.text).toBe(cleaned.text.trim());
        expect(cleaned.text.length).toBeGreaterThan(6);
        expect(cleaned.text.length).toBeLessThanOrEqual(8_000);
      }
    }),
    { numRuns: 300 },
  );
});

test('babble as long as is allowed is judged', () => {
  for (const raw of [
    '<think>'.repeat(4_500),
    '`'.repeat(32_000),
    `${'`'.repeat(10_000)}\n${`${'`'.repeat(10_000)}x`.repeat(2)}`,
    `${'```\n'.repeat(8_000)}x`,
    `a${' '.repeat(31_000)}b`,
    '[insert '.repeat(4_000),
    '{{'.repeat(16_000),
    '<|'.repeat(16_000),
    '<|channel|>analysis'.repeat(1_600),
    `sure${' :'.repeat(15_000)}`,
  ])
    expect(Object.keys(clean(raw))).toHaveLength(1);
});

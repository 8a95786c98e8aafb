import { describe, expect, test } from 'vitest';
import { type CleanOptions, cleanHypothesis } from '../../src/core/hypothesis.js';
import { type HypothesisPromptOptions, hypothesisPrompt } from '../../src/core/prompt.js';

const question = 'How do I bleed a radiator?';
const passage = 'Open the valve of the radiator a quarter turn until the air has left and water comes.';
const clean = (raw: string, asked = question) => cleanHypothesis(raw, asked);

describe('wrappers come off', () => {
  test.each<[string, string]>([
    ['nothing to take off', passage],
    ['white space', `\n\n  ${passage}\t\n`],
    ['a closed thinking block', `<think>Heating. Valve?</think>\n\n${passage}`],
    ['only the end of thinking, which the template began', `Heating. Which valve?</think>\n\n${passage}`],
    ['thinking that names its own mark', `<think>Do I need a <think> tag? No.</think>${passage}`],
    ['thinking in thinking', `<think>a <scratchpad>b</scratchpad> c</think>${passage}`],
    ['thinking after the passage', `${passage}<think>Was that right?</think>`],
    ['foreign marks', `[THINK]a[/THINK]◁think▷b◁/think▷<|begin_of_thought|>c<|end_of_thought|>${passage}`],
    ['tags with a prefix', `<thinking>a</thinking><seed:think>b</seed:think>${passage}`],
    ['an empty thinking tag', `<think/>${passage}`],
    ['channels without their marks', `analysisThe user asks about heat.assistantfinal${passage}`],
    ['two thinking blocks, in capitals', `<THINK>a</THINK> <Reasoning effort="low">b\nc</Reasoning>${passage}`],
    ['chat tokens', `<|im_start|>assistant\n${passage}<|im_end|>`],
    ['other chat tokens', `<s>[INST] [/INST]${passage}</s><|endoftext|>`],
    ['tokens with a role', `<start_of_turn>model\n${passage}<end_of_turn>`],
    ['a header with a role', `<|start_header_id|>assistant<|end_header_id|>\n\n${passage}<|eot_id|>`],
    [
      'channels',
      `<|channel|>analysis<|message|>The user wants heat.<|end|><|start|>assistant<|channel|>final<|message|>${passage}`,
    ],
    ['an invented turn behind a token', `${passage}<|im_end|>\n<|im_start|>user\nAnd a boiler?<|im_end|>`],
    ['an invented turn in plain words', `${passage}\n\nQuestion: And how do I fill a boiler?\nPassage: Open the tap.`],
    ['an invented turn in instruction marks', `${passage}[INST]And a boiler?[/INST]Fill it.`],
    ['the turn of the user in front', `<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n${passage}`],
    ['the turn of the user in front, its own unmarked', `<|im_start|>user\n${question}<|im_end|>\n${passage}`],
    ['fullwidth tokens', `<｜User｜>${question}<｜Assistant｜>${passage}<｜end▁of▁sentence｜>`],
    ['the question and labels', `Question: ${question}\nPassage: ${passage}`],
    ['the question in its tags', `<question-12ab34cd>\n${question}\n</question-12ab34cd>\nPassage: ${passage}`],
    ['a tag', `<passage>\n${passage}\n</passage>\nI hope this helps!`],
    ['quotation marks', `Here is a short passage from a manual:\n\n"${passage}"`],
    ['guillemets', `«${passage}»`],
    ['a note at the end', `${passage}\n\n(Note: this is a hypothetical passage.)`],
    ['an offer at the end', `${passage}\n\nLet me know if you need more.`],
    ['JSON', JSON.stringify({ passage })],
    ['JSON in a list', JSON.stringify([{ answer: passage }, { answer: 'Another one for the same thing.' }])],
    ['nested JSON under another name', JSON.stringify({ data: { Text: passage, n: 1 }, result: { text: passage } })],
    ['one long value under an unknown name', JSON.stringify({ body: passage })],
    ['a JSON string', JSON.stringify(passage)],
    ['a fence of JSON', `\`\`\`json\n${JSON.stringify({ passage }, null, 2)}\n\`\`\``],
    ['JSON with words around it', `The result is {"passage": "${passage}"} as asked.`],
    ['JSON after thinking with JSON', `<think>{"passage": "a draft of it"}</think>{"passage": "${passage}"}`],
    ['the last of two', `{"passage": "A draft that came first."}\n{"passage": "${passage}"}`],
    [
      'JSON with a line end in a string',
      `{\n"passage":\n"${passage.replace('until', '\nuntil')}"\n}`.replace(' \n', '\n'),
    ],
    ['JSON with thinking in its string', JSON.stringify({ passage: `<think>Valve?</think>${passage}` })],
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
    ['in Korean', `다음은 질문에 대한 글입니다:\n${passage}`],
    ['in Hindi', `यहाँ अनुच्छेद है:\n${passage}`],
    ['a label in Russian', `Фрагмент: ${passage}`],
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
    ['unfinished thinking', '◁think▷The user'],
    ['unfinished thinking', '<think'],
    ['unfinished thinking', 'analysisThe user asks about heating, so'],
    ['thinking aloud', 'Okay, the user is asking about radiators. I should mention valves.'],
    ['thinking aloud', 'We need to produce a short passage that answers the question on radiators.'],
    ['cut-off JSON', '{"passage": "Open the valve of the radiator a quarter turn until the air'],
    ['cut-off JSON', 'Sure: {"passage": "Open the valve of the radiator a quarter'],
    ['unfinished thinking', JSON.stringify({ passage: '<think>Which valve does the user mean? I think that' })],
    ['cut-off JSON', '["Open the valve of the radiator a quarter'],
    ['cut-off JSON', '```json\n{ "answer": "Open the valve of the rad\n```'],
    ['cut-off JSON', '{"pass'],
    ['empty', '{}'],
    ['empty', '{"passage": ""}'],
    ['empty', '{"passage": null}'],
    ['refusal', '{"passage": "I cannot answer this question, since it lacks context."}'],
    ['refusal', 'The provided passages do not contain any information on radiators.'],
    ['refusal', 'Could you please provide more details about your radiator?'],
    ['refusal', 'Radiators are warm. As an AI language model, I cannot touch them, though.'],
    ['refusal', 'Przykro mi, ale nie mogę odpowiedzieć na to pytanie.'],
    ['refusal', 'Het spijt me, maar ik kan daar niet bij helpen.'],
    ['refusal', 'Üzgünüm, bu soruyu yanıtlayamam, lütfen başka sorun.'],
    ['refusal', 'Xin lỗi, tôi không thể trả lời câu hỏi này.'],
    ['refusal', 'क्षमा करें, मैं इस प्रश्न का उत्तर नहीं दे सकता।'],
    ['placeholder', 'Your passage here.'],
    ['placeholder', 'The hypothetical passage goes here'],
    ['copy of the question', 'Question: How do I bleed a radiator?'],
    ['copy of the question', 'How do I bleed a radiator? How do I bleed a radiator? A radiator?'],
    ['repetition', `${passage} ${passage} ${passage}`],
    ['repetition', `${passage} Turn it and ${'turn it and '.repeat(20)}`],
    ['repetition', 'ha'.repeat(150)],
    ['repetition', `No${'o'.repeat(60)} radiator is like any other.`],
    ['repetition', '打开阀门放气'.repeat(10)],
    ['placeholder', 'Lorem ipsum dolor sit amet, radiator.'],
    ['copy of the question', question],
    ['copy of the question', '  how do i BLEED a radiator ?!'],
    ['copy of the question', '"How do I bleed a radiator?"'],
    ['too short', 'Open the valve.'],
    ['too short', '水が出るま'],
    ['too long', 'word '.repeat(1_601)],
    ['too long', 'x'.repeat(32_001)],
    ['too long', `<think>${'word '.repeat(50_000)}</think>${passage}`],
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
    "I'm sorry that I missed your concert last Friday, Melanie.",
    'As an AI researcher she built radiators that learn.',
    'Als KI bezeichnet man Programme, die aus Daten lernen, wie warm ein Raum ist.',
    '作为人工智能的一个分支，机器学习可以预测暖气片的温度。',
    'The user asked for a warmer room, so the plumber opened the valve.',
    'Hierarchical heating of large buildings:\nEach floor has a pump of its own.',
    'Sorry for the delay. More information on the radiator follows on Monday.',
    "I can't help but notice that the radiator is cold again.",
    'I do not have to bleed it every year, the plumber says.',
    '"Open" and "closed" are the two ends of the scale on a "valve"',
    '{"name": "radiator", "valve": {"turns": 0.25}, "text": "x"}',
    'POST {"text": "hello"} to the server and it answers with a vector of numbers.',
    'function bleed(valve) { return { text: valve.name, open: true }; }',
    'Table of turns: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0',
    'Berlin is a radiator capital',
    'The passage between the two rooms: a door that nobody uses.',
    'Step 1 < step 2 | step 3 > step 4 in every case.',
  ])('%s', (raw) => expect(clean(raw)).toEqual({ text: raw }));
});

describe('what was asked for', () => {
  const chinese =
    '打开散热器的阀门四分之一圈，直到空气排出并有水流出为止，然后再把阀门关上，检查锅炉的压力是否正常，必要时加水。';
  const japanese = 'ラジエーターのバルブを四分の一回転開け、空気が抜けて水が出るまで待ちます。';
  const german =
    'Öffnen Sie das Ventil des Heizkörpers um eine Vierteldrehung, bis die Luft entwichen ist und Wasser kommt.';
  const english = `${passage} Then close the valve and look at the pressure of the boiler, which must not be too low.`;
  const sayGerman = () => 'de';
  const sure: CleanOptions['detectLanguage'] = (text) => (/ventil|luft/i.test(text) ? 'de' : 'en');

  test.each<[string | undefined, string, CleanOptions]>([
    ['wrong script', chinese, { language: 'en' }],
    ['wrong script', passage, { language: 'zh' }],
    ['wrong script', passage, { language: 'ru' }],
    ['wrong script', japanese, { language: 'ko' }],
    ['wrong script', japanese, { language: 'zh-Hant' }],
    ['wrong script', chinese, { language: 'ja' }],
    [undefined, passage, { language: 'zh', type: 'code' }],
    [undefined, passage, { language: 'sr' }],
    [undefined, chinese, { language: 'und' }],
    ['wrong script', chinese, { language: 'und-Latn' }],
    [undefined, passage, { language: 'de' }],
    [undefined, chinese, { language: 'zh-TW' }],
    [undefined, japanese, { language: 'ja' }],
    [undefined, `${chinese} radiator valve boiler`, { language: 'zh' }],
    ['wrong language', english, { language: 'de', detectLanguage: sure }],
    [undefined, german, { language: 'de', detectLanguage: sure }],
    [undefined, english, { language: 'en-GB', detectLanguage: sure }],
    [undefined, english, { language: 'de', detectLanguage: () => undefined }],
    [undefined, passage, { language: 'fr', detectLanguage: sayGerman }],
    [undefined, english, { language: 'pt', detectLanguage: () => 'es' }],
    [undefined, english, { detectLanguage: sayGerman }],
    [undefined, 'I don’t know what to do about my cold radiator, said Melanie.', { type: 'memory' }],
    ['refusal', 'I don’t know what to do about my cold radiator, said Melanie.', {}],
    [undefined, 'The valve of {{ brand }} opens to the left side.', { type: 'documentation' }],
    ['placeholder', 'The valve of [insert brand] opens to the left side.', { type: 'documentation' }],
  ])('%s: %s %j', (dropped, raw, options) =>
    expect(cleanHypothesis(raw, question, options)).toEqual(dropped === undefined ? { text: raw } : { dropped }),
  );

  test.each<HypothesisPromptOptions>([
    {},
    { language: 'zh' },
    { language: 'de' },
    { type: 'legal' },
    { mode: 'steered' },
  ])('the instructions of %j said again are an echo', (options) => {
    const { system: instructions } = hypothesisPrompt(question, options);
    const said = instructions.slice(instructions.length / 3);
    expect(cleanHypothesis(said, question, { instructions })).toEqual({ dropped: 'echo of the prompt' });
    expect(cleanHypothesis(passage, question, { instructions })).toEqual({ text: passage });
  });
});

test('the text is in NFC', () => {
  const raw = 'Le chauffage a e\u0301te\u0301 purge\u0301 hier matin.';
  expect(clean(raw)).toEqual({ text: raw.normalize('NFC') });
});

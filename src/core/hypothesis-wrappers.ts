// Fences of bounded length: with any length, a model that babbles backticks costs time cubic in their number.
const fence = /^\s*(`{3,8}(?!`)|~{3,8}(?!~))[^\n]*\n([\s\S]*?)\n?\1\s*$/;
const labels =
  'passage|answer|hypothetical passage|hypothesis|pasaje|passagem|respuesta|resposta|textstelle|antwort|abschnitt|brano|risposta|antwoord|réponse|фрагмент|ответ|文段|段落|答案|文章|回答|글|답변|الفقرة|الإجابة|अनुच्छेद|उत्तर';
const announcements = [
  // The question said again in front of the answer.
  new RegExp(
    `^(?:\\*\\*)?(?:question|query)(?:\\*\\*)?[:：][^\\n]{0,400}\\n\\s{0,4}(?=(?:\\*\\*)?(?:${labels})(?:\\*\\*)? ?[:：])`,
    'i',
  ),
  // A whole line that ends in a colon; on the line of the passage itself only what names the passage.
  /^(?:(?:sure|certainly|of course|okay|here|below|claro|por supuesto|aqu[ií]|a continuación|voici|bien sûr|hier|natürlich|gerne?|ecco|certo|конечно|вот)(?![\p{L}\p{N}])|当然|好的|以下|もちろん|물론|다음|إليك|بالطبع|यहाँ|यह रहा)[^\n]{0,160}[:：][^\S\n]*\n/iu,
  /^(?:sure|certainly|of course|here(?:['’]s| is))\b[^\n:]{0,100}\b(?:passage|paragraph|answer|abstract|excerpt)\b[^\n:]{0,60}:/i,
  new RegExp(`^(?:#{1,4} )?(?:\\*\\*)?(?:${labels})(?:\\*\\*)? ?[:：](?:\\*\\*)?`, 'i'),
];
const tags = /^<(passage|answer|response|output|document|hypothesis|result)(?:-[0-9a-f]{8})?>/i;
const echoedQuestion = /^<question-([0-9a-f]{8})>/;
const quotes = ['""', '“”', '„“', '«»', '「」', '『』', "''", '‘’'];
const afterword = [
  /^[(*_[\s]{0,4}(?:please )?(?:note|disclaimer|hinweis|nota|remarque|примечание|注意|注)(?:\*\*)?\s?[:：][^\n]{0,400}(?:passage|hypothetical|ficti|invented|imaginary|language model|\bAI\b|not real|hypothetisch|hipotétic|ipotetic|гипотетич|虚构|假设)/i,
  /^(?:i hope|hope this|let me know|feel free|would you like|is there anything|please let me know|if you (?:need|want|have|would like)[^\n]{0,80}let me know|this (?:is a hypothetical|passage (?:is|was|provides|would)))/i,
];

/** The text without what models put around a passage: fences, announcements, labels, tags, quotation marks, afterwords. */
export function unwrapPassage(text: string): string {
  let rest = announced(text.trim());
  rest = announced(fence.exec(rest)?.[2] ?? rest);
  return unquoted(withoutAfterwords(untagged(rest)));
}

function announced(text: string): string {
  return announcements.reduce((rest, pattern) => rest.replace(pattern, '').trim(), text);
}

/** What stands in a tag that names the passage, whatever follows it. */
function untagged(text: string): string {
  let rest = text;
  const code = echoedQuestion.exec(rest)?.[1];
  if (code !== undefined) {
    const close = `</question-${code}>`;
    const end = rest.indexOf(close);
    rest = end < 0 ? rest : announced(rest.slice(end + close.length).trim());
  }
  const open = tags.exec(rest);
  if (open === null) return rest;
  const inner = rest.slice(open[0].length);
  const end = inner.toLowerCase().indexOf(`</${open[1]!.toLowerCase()}`);
  return (end < 0 ? inner : inner.slice(0, end)).trim();
}

function withoutAfterwords(text: string): string {
  let rest = text;
  for (let i = 0; i < 2; i++) {
    const start = rest.lastIndexOf('\n') + 1;
    if (start === 0 || !afterword.some((pattern) => pattern.test(rest.slice(start)))) break;
    rest = rest.slice(0, start).trim();
  }
  return rest;
}

/** Without the quotation marks around all of it; those within it stay, and so do marks of two quotations. */
function unquoted(text: string): string {
  const pair = quotes.find((marks) => text.length > 1 && text.startsWith(marks[0]!) && text.endsWith(marks[1]!));
  if (pair === undefined) return text;
  const inner = text.slice(1, -1);
  return inner.includes(pair[0]!) || inner.includes(pair[1]!) ? text : inner.trim();
}

const names =
  'think|thinking|thoughts?|reason|reasoning|reflection|scratchpad|analysis|deliberation|inner_monologue|(?:ant|antml|seed):think(?:ing)?|antthinking';
// Every part is bounded, so that a search takes time linear in the text. An opening bracket that is never closed counts.
const mark = new RegExp(
  `<(?<close>/)?\\s{0,3}(?:${names})(?![\\w-])[^<>]{0,80}>?|[◁[](?<close2>/)?(?:think|THINK)[▷\\]]|` +
    '<\\|(?:(?<close3>end|END)|begin|BEGIN|start|START)_(?:of_)?(?:thought|thinking|think|THOUGHT|THINKING)\\|>',
  'gi',
);
/** The channels of a model whose marks were taken out on the way: `analysisThe user asks … assistantfinalThe valve …`. */
const bareAnalysis = /^\s*analysis(?=\s{0,3}[A-Z])/;
const bareFinal = 'assistantfinal';
const aloud = [
  /^(?:(?:okay|ok|alright|hmm+|well|so)[,.:]? {1,3}(?:so,? )?)?(?:let me think|let['’]s think|the user (?:is asking|wants me|is looking for))\b/i,
  /^(?:okay|ok|alright|hmm+|so)[,.:]? {1,3}(?:so,? )?the user\b/i,
  /^(?:(?:okay|ok|alright|hmm+|first|so)[,.:]? {1,3}(?:so,? )?)?(?:i|we) (?:need|have|should) (?:to )?(?:write|produce|generate|craft|create) (?:an? |the )?(?:[a-z]+ ){0,2}passage\b/i,
  /^(?:好的|嗯|首先)[,，。]\s*(?:用户|我需要|我们需要)/,
  /^(?:хорошо|итак)[,.] пользователь/i,
];

/**
 * The text without the reasoning that stands in it: closed blocks of any usual name, and everything in front of a
 * closing mark that was never opened, as models write whose template opens it. Undefined where a block is not closed:
 * nobody knows what of it is the answer.
 */
export function withoutThinking(raw: string): string | undefined {
  let kept = '';
  let from = 0;
  let inside = false;
  for (const match of raw.matchAll(mark)) {
    const { close, close2, close3 } = match.groups ?? {};
    const after = match.index + match[0].length;
    if ((close ?? close2 ?? close3) === undefined) {
      if (!inside) kept += `${raw.slice(from, match.index)} `;
      from = after;
      inside ||= !match[0].endsWith('/>');
    } else {
      if (!inside) kept = '';
      inside = false;
      from = after;
    }
  }
  if (inside) return undefined;
  const text = kept + raw.slice(from);
  if (!bareAnalysis.test(text)) return text;
  const final = text.lastIndexOf(bareFinal);
  return final < 0 ? undefined : text.slice(final + bareFinal.length);
}

/** Whether the text begins as models think, not as documents are written. */
export function isThinkingAloud(text: string): boolean {
  return aloud.some((pattern) => pattern.test(text));
}

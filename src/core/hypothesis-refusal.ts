const service =
  '(?:help|assist|provide|answer|fulfil|comply|write|generate|create|find|respond|do that|discuss|share|access|give you|engage|offer)';
const unable = `(?:can(?:['’]t|not| not)|could(?:n['’]t| not)|am unable to|am not able to|do(?:n['’]t| not)|won['’]t)`;

/** How models begin when they do not answer, by language. All are bounded and anchored. */
const openings: Readonly<Record<string, readonly RegExp[]>> = {
  en: [
    new RegExp(`^(?:unfortunately, |sorry,? (?:but )?)?i ${unable} (?:\\w+ )?${service}(?! but)\\b`, 'i'),
    new RegExp(
      `^(?:i['’]?m|i am|my apologies|i apologi[sz]e|sorry)\\b[^\\n]{0,60}(?:${unable} (?:\\w+ )?${service}\\b|not clear|no information|(?:need|provide|without) more |unable to|language model)`,
      'i',
    ),
    /^(?:i['’]?m|i am) (?:unable|not able|an? (?:ai\b|artificial intelligence|language model))/i,
    /^(?:the |these )?(?:provided |given )?(?:contexts?|passages?) (?:do|does) not (?:contain|mention|provide|include)/i,
    /^(?:could|can) you (?:please )?(?:provide|clarify|specify|share|rephrase)|^please (?:provide|clarify|specify) (?:more|the|your|a) |^i['’]d be happy to help/i,
  ],
  es: [
    /^lo siento,? (?:pero|no)|^no puedo (?:\w+ ){0,2}(?:ayudar|responder|proporcionar)|^como modelo de lenguaje,? (?:no|yo)\b/i,
  ],
  pt: [
    /^desculpe,|^sinto muito,? mas|^não posso (?:\w+ ){0,2}(?:ajudar|responder|fornecer)|^como (?:um )?modelo de linguagem,? (?:não|eu)/i,
  ],
  fr: [
    /^(?:je suis )?désolée?,|^je ne peux pas (?:\S+ ){0,2}(?:aider|répondre|fournir)|^en tant (?:que modèle|qu['’]ia|qu['’]intelligence)[^,\n]{0,40}, je\b/i,
  ],
  de: [
    /^(?:es )?tut mir leid,|^leider kann ich|^ich kann (?:(?:dir|ihnen|leider|dabei|diese|das) ){0,3}nicht|^als (?:ki|sprachmodell)(?:-\w+)?,? (?:kann|habe|bin|darf|verfüge) ich/i,
  ],
  it: [
    /^mi dispiace,? (?:ma|non)|^non posso (?:\w+ ){0,2}(?:aiutar|rispondere|fornire)|^come modello linguistico,? (?:non|io)\b/i,
  ],
  nl: [/^(?:het spijt me|sorry),? (?:maar|ik kan)|^helaas kan ik|^als (?:ai|taalmodel),? (?:kan|heb|ben|mag) ik/i],
  pl: [/^(?:przykro mi|przepraszam),? (?:ale|nie)|^niestety nie mogę|^jako model językowy,? (?:nie|ja)\b/i],
  sv: [
    /^(?:jag är ledsen|tyvärr),? (?:men )?(?:jag )?kan (?:jag )?inte|^som (?:en )?(?:ai|språkmodell),? (?:kan|har) jag/i,
  ],
  tr: [/^üzgünüm,|^maalesef [^\n]{0,60}(?:yardımcı olamam|cevap veremem|yanıtlayamam)/i],
  ru: [
    /^извините, (?:но|я)|^к сожалению, я|^я не могу (?:\S+ ){0,2}(?:ответить|помочь|предоставить)|^как языковая модель, я/i,
  ],
  uk: [/^вибачте, (?:але|я)|^на жаль, я|^як мовна модель, я/i],
  vi: [/^(?:tôi )?(?:rất )?xin lỗi,|^là một mô hình ngôn ngữ[^,\n]{0,20}, tôi/i],
  id: [/^(?:mohon )?maaf,|^sebagai model bahasa[^,\n]{0,20}, saya/i],
  zh: [
    /^(?:很|非常)?(?:抱歉|遗憾)[,，。]|^对不起[,，]|^對不起[,，]|^我(?:无法|無法|不能)(?:回答|提供|帮助|幫助|协助|生成)|^作为.{0,4}(?:AI|人工智能|语言模型)[^。\n]{0,12}[，,]我/i,
  ],
  ja: [/^申し訳(?:ありません|ございません)|^すみませんが|^(?:AI|言語モデル)として、?(?:私|お答え|回答)/i],
  ko: [/^죄송(?:합니다|하지만)|^(?:AI|인공지능|언어 모델)(?:로서|이므로),? (?:저는|답변)/i],
  ar: [/^(?:عذر[ًا]{0,2}|آسف|أعتذر|معذرة)|^لا (?:أستطيع|يمكنني) (?:الإجابة|المساعدة|تقديم)|^بصفتي نموذج/],
  hi: [/^(?:क्षमा करें|माफ़? ?कीजिए|माफ़ करें|मुझे खेद है)|^एक (?:AI|एआई)[^।\n]{0,30}के रूप में,? मैं/i],
};
/** A model says it of itself; people say it too, in notes and conversations. */
const ignorance =
  /^(?:unfortunately, )?i (?:do not|don['’]?t) (?:have|know)\b(?! to\b)[^\n]{0,60}(?:information|access|context|data|knowledge|answer|ability|about|what|specific|\.)/i;
const all = Object.values(openings).flat();
/** What gives the model away wherever it stands. */
const anywhere = /\bas an ai(?: language)?(?: model| assistant)?, i\b|\bas a (?:large )?language model, i\b/i;
const placeholders = [
  /\[(?:insert|your|name|topic|placeholder|company name|product name|city|country|date)\b[^\]\n]{0,60}\](?!\()/i,
  /\{\{[^}\n]{0,60}\}\}/,
];
const filler =
  /lorem ipsum|\[insert\b[^\]\n]{0,60}\](?!\()|^\W{0,3}(?:your|the|insert|write|a|generated)? ?(?:hypothetical )?(?:passage|text|answer) (?:goes )?here\W{0,3}$/i;

/**
 * Whether a text begins as a refusal, a question back or a disclaimer, in whatever language.
 *
 * @param isSpeech whether people who speak of themselves are what was asked for
 */
export function isRefusal(text: string, isSpeech = false): boolean {
  return all.some((pattern) => pattern.test(text)) || anywhere.test(text) || (!isSpeech && ignorance.test(text));
}

/** Whether something in the text was still to be filled in. In code and its documentation only what can be nothing else. */
export function hasPlaceholder(text: string, isCode: boolean): boolean {
  return filler.test(text) || (!isCode && placeholders.some((pattern) => pattern.test(text)));
}

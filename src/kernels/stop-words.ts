/**
 * Function words and question words, without accents, by ISO 639-1 code. They stay in the index, where their idf is low;
 * in a question they only add noise, because "what" and "does" are rare in passages that state things.
 */
const lists: Readonly<Record<string, string>> = {
  de:
    'aber als am an auch auf aus bei beim bin bist da dann das dass dem den denn der des die dies diese diesem diesen ' +
    'dieser dieses doch dort du durch ein eine einem einen einer eines er es euch fur gegen gibt hat habe haben hatte ich ' +
    'ihm ihn ihr ihre im in ins ist ja kann konnen man mein mich mir mit muss nach nicht noch nun nur ob oder ohne sehr sein ' +
    'seine sich sie sind so soll um und uns unter vom von vor wann war waren warum was wegen weil welche welchem welchen ' +
    'welcher welches wenn wer werden wie wieso wieviel wir wird wo woher wohin wurde wurden zu zum zur uber',
  en:
    'a about above after again against all am an and any are as at be because been before being below between both but by ' +
    'can could did do does doing down during each few for from further had has have having he her here hers him his how i ' +
    'if in into is it its just may me might more most must my no nor not of off on once only or other our out over own same ' +
    'shall she should so some such than that the their them then there these they this those through to too under until up ' +
    'us very was we were what when where which while who whom whose why will with would you your cannot dont doesnt didnt ' +
    'isnt arent wasnt werent cant couldnt wont wouldnt shouldnt havent hasnt hadnt',
  es:
    'a al algo alguna algun alguno ante antes asi aun aunque bajo cada como con contra cual cuales cuando cuanta cuantas ' +
    'cuanto cuantos de del desde donde durante e el ella ellas ellos en entre era eran es esa esas ese eso esos esta estaba ' +
    'estan estar estas este esto estos fue fueron ha habia han hasta hay la las le les lo los mas me mi mientras muy nos o ' +
    'para pero por porque que quien quienes se segun ser si sin sobre son su sus tambien tan te tiene tienen tu un una unas ' +
    'uno unos y ya',
  fr:
    'a ai as au aux avait avec avez avoir c ce ceci cela ces cet cette chez comme comment d dans de depuis des dont du elle ' +
    'elles en entre es est et etait etaient ete etre eu eux fait il ils j je l la le les leur leurs lors lorsque lui m ma ' +
    'mais me meme mes mon n ne nos notre nous on ont ou par parce pas pendant peut plus pour pourquoi qu quand que quel quelle ' +
    'quelles quels qui quoi s sa sans se sera ses si son sont sous sur t ta te tes ton tu un une vos votre vous y',
  it:
    'a ad agli ai al alla alle allo anche c che chi ci come con cosa cui d da dagli dai dal dalla dalle dallo degli dei del ' +
    'della delle dello di dove e ed era erano gli ha hanno ho i il in io l la le lei lo loro lui ma mi mia mio ne negli nei ' +
    'nel nella nelle nello noi non o per perche piu quale quali quando quanta quante quanti quanto quella quelle quelli quello ' +
    'questa queste questi questo se sei si sia sono sta stato su sua sugli sui sul sulla sulle sullo suo suoi tra tu un una uno vi',
  nl:
    'aan al als bij daar dan dat de deze die dit doen door dus een en er had heb hebben heeft hem het hij hoe hoeveel hun ik ' +
    'in is ja je kan kunnen maar me meer met mij mijn moet na naar niet nog nu of om omdat onder ons onze ook op over te tegen ' +
    'toch toen tot u uit van veel voor waar waarom wanneer waren was wat we wel welk welke werd wie wij wilt worden wordt zal ' +
    'ze zelf zich zij zijn zo zonder zou',
  pt:
    'a ao aos aquela aquelas aquele aqueles aquilo as ate com como da das de dela dele deles depois do dos e ela elas ele eles ' +
    'em entre era eram essa essas esse esses esta estas estava este estes eu foi foram ha isso isto ja la lhe mais mas me meu ' +
    'minha muito na nas nao nem no nos num numa o onde os ou para pela pelas pelo pelos por porque qual quais quando quanta ' +
    'quantas quanto quantos que quem se sem ser seu seus so sao sobre sua suas tambem te tem ter um uma umas uns voce',
};

/** Codes of the languages with a list, in alphabetical order. */
export const stopWordLanguages: readonly string[] = Object.keys(lists);

const sets = new Map<string, ReadonlySet<string>>();
/** In how many lists a word is. */
const spread = new Map<string, number>();
for (const [language, list] of Object.entries(lists)) {
  const set = new Set(list.split(' '));
  sets.set(language, set);
  for (const word of set) spread.set(word, (spread.get(word) ?? 0) + 1);
}
const none: ReadonlySet<string> = new Set();

/** The stop words of a language, lower-case and without accents; empty where there is no list. */
export function stopWordsOf(language: string): ReadonlySet<string> {
  return sets.get(language) ?? none;
}

/** How much a word speaks for a language that has it as a stop word: 1, less where other languages have it as well. */
export function stopWordWeight(word: string): number {
  return 1 / (spread.get(word) ?? 1);
}

/** What kind of documents the index holds; it decides what the model is asked to write. */
export type DocumentType =
  | 'general'
  | 'web'
  | 'documentation'
  | 'notes'
  | 'code'
  | 'claim'
  | 'science'
  | 'counter-argument'
  | 'legal'
  | 'finance'
  | 'news'
  | 'entity'
  | 'memory'
  | 'answer';

/**
 * The task for each type: what is given, and what to write. Those for the web, claims, science, counter-arguments,
 * finance, news and entities follow Gao et al. 2022, appendix A. Every one asks for the wording of such documents, which
 * is what embeddings and BM25 compare.
 */
export const documentTasks: Readonly<Record<DocumentType, string>> = {
  general:
    'Given a question, write the passage of 2 to 4 sentences that a document answering it would contain: concrete, with ' +
    'the technical terms, names and wording of such a document.',
  web:
    'Given a web search, write the passage of 3 to 5 sentences that a good web page on it would contain: factual, with ' +
    'the names, numbers and everyday words that such a page uses.',
  documentation:
    'Given a question on a product or a library, write the passage of 2 to 5 sentences of its reference documentation ' +
    'that answers it: with the exact names of options, functions, commands and files where they are known, in the dry ' +
    'wording of a manual.',
  notes:
    'Given a question that somebody asks of their own notes, write the note of 2 to 4 short sentences or list items that ' +
    'would answer it: terse, with names, dates and key words, as people write for themselves.',
  code:
    'Given a question on a code base, write the piece of source code of at most 20 lines that answers it, with realistic ' +
    'names of functions, types and variables, and one or two comments that say in words what it does.',
  claim:
    'Given a scientific claim, write 3 to 4 sentences of the abstract of a paper that reports evidence for or against ' +
    'it: methods, subjects, measured effect and conclusion, in the terms of the field. Do not repeat the claim word for ' +
    'word.',
  science:
    'Given a question, write 3 to 4 sentences of a scientific paper that answers it: methods, findings and conclusion, ' +
    'in the terms of the field.',
  'counter-argument':
    'Given an argument, write the passage of 3 to 5 sentences that argues against it: on the same subject, with the same ' +
    'terms, and the strongest reasons of the other side.',
  legal:
    'Given a legal question, write the passage of 2 to 4 sentences of a statute, contract or judgment that settles it: ' +
    'with its defined terms, conditions and exceptions, in the wording of such texts. Invent no numbers of sections.',
  finance:
    'Given a question on money, write the passage of 3 to 5 sentences of a financial article or forum that answers it, ' +
    'with the terms that people of the trade use.',
  news:
    'Given a subject, write the passage of 3 to 5 sentences of a newspaper article on it: who, what, when, where, with ' +
    'names and background.',
  entity:
    'Given the name or description of something, write the first 2 to 4 sentences of its encyclopedia article: what it ' +
    'is, what kind it belongs to, and what it is known for.',
  memory:
    'Given a question about earlier conversations, write 2 to 4 short statements that somebody could have made there and ' +
    'that answer it: in the first or third person, with names, times and feelings as people mention them.',
  answer:
    'Given a question, write the 1 to 3 sentences of a text that hold its answer: begin with the answer, and name what ' +
    'the question is about in full.',
};

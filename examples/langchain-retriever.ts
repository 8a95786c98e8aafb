import type { CallbackManagerForRetrieverRun } from '@langchain/core/callbacks/manager';
import { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import type { SearchOptions, Surmise } from 'surmise';

export interface SurmiseRetrieverInput extends BaseRetrieverInput {
  readonly surmise: Surmise;
  /** For each search. */
  readonly search?: SearchOptions;
}

/** A retriever for LangChain.js: `new SurmiseRetriever({ surmise, search: { k: 5 } }).invoke(question)`. */
export class SurmiseRetriever extends BaseRetriever {
  readonly lc_namespace = ['surmise'];
  readonly #surmise: Surmise;
  readonly #search: SearchOptions;

  static override lc_name(): string {
    return 'SurmiseRetriever';
  }

  constructor({ surmise, search = {}, ...input }: SurmiseRetrieverInput) {
    super(input);
    this.#surmise = surmise;
    this.#search = search;
  }

  override async _getRelevantDocuments(question: string, _run?: CallbackManagerForRetrieverRun): Promise<Document[]> {
    const { hits } = await this.#surmise.search(question, this.#search);
    return hits.map(
      ({ id, document, path, title, heading, text, start, end, score }) =>
        new Document({
          id,
          pageContent: text,
          metadata: { document, source: path, title, heading, start, end, score },
        }),
    );
  }
}

import type { QueryBundle } from '@llamaindex/core/query-engine';
import { BaseRetriever } from '@llamaindex/core/retriever';
import { type NodeWithScore, TextNode } from '@llamaindex/core/schema';
import { extractText } from '@llamaindex/core/utils';
import type { SearchOptions, Surmise } from 'surmise';

/** A retriever for LlamaIndex.TS: `new SurmiseRetriever(surmise, { k: 5 }).retrieve(question)`. */
export class SurmiseRetriever extends BaseRetriever {
  readonly #surmise: Surmise;
  readonly #search: SearchOptions;

  constructor(surmise: Surmise, search: SearchOptions = {}) {
    super();
    this.#surmise = surmise;
    this.#search = search;
  }

  override async _retrieve({ query }: QueryBundle): Promise<NodeWithScore[]> {
    const { hits } = await this.#surmise.search(extractText(query), this.#search);
    return hits.map(({ id, document, path, title, heading, text, start, end, score }) => ({
      node: new TextNode({
        id_: id,
        text,
        startCharIdx: start,
        endCharIdx: end,
        metadata: { document, path, title, heading },
      }),
      score,
    }));
  }
}

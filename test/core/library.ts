import type { Document, Generator, Store } from '../../src/core/ports.js';
import type { SearchPorts } from '../../src/core/run.js';
import { createSurmise, type Surmise } from '../../src/core/surmise.js';
import { deterministicEmbedder } from '../../src/models/deterministic-embedder.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';

/** A small collection about unlike things, for searches whose answer is plain to see. */
export const library: readonly Document[] = [
  { id: 'kettle', title: 'Kettle', text: 'Descale the kettle with vinegar when the water tastes of chalk.' },
  { id: 'bees', title: 'Bees', text: 'A hive swarms in May when the old queen leaves with half of the bees.' },
  { id: 'bread', title: 'Bread', text: 'Sourdough rises slowly: knead it, let the dough rest, and bake it hot.' },
  { id: 'tides', title: 'Tides', text: 'Spring tides come after full moon, when sun and moon pull in one line.' },
  { id: 'tyres', title: 'Tyres', text: 'Check the pressure of the tyres when they are cold, before a long drive.' },
  { id: 'violin', title: 'Violin', text: 'Rosin on the bow makes the strings of a violin speak.' },
  { id: 'router', title: 'Router', text: 'Restart the router, then wait until its lamp stops blinking.' },
  { id: 'glacier', title: 'Glacier', text: 'A glacier grinds rock to flour that turns the lakes below it milky.' },
];

/** An embedder that knows a few words of the library to mean the same. */
export const embedder = deterministicEmbedder({
  synonyms: [
    ['kettle', 'teapot'],
    ['swarms', 'migration'],
    ['router', 'modem'],
  ],
});

export function memoryStore(): Store {
  return openSqliteStore({ path: ':memory:' });
}

/** The documents in a store in memory, embedded, with whatever else the search has. */
export async function indexed(
  documents: readonly Document[] = library,
  ports: Partial<SearchPorts> = { embedder },
): Promise<Surmise & { readonly store: Store }> {
  const store = ports.store ?? memoryStore();
  const surmise = createSurmise({ ...ports, store });
  await surmise.index(documents.map((document) => ({ document })));
  return { ...surmise, store };
}

/** A generator that is whatever `generate` says, to be as wrong as a test needs it. */
export function generatorOf(generate: Generator['generate'], id = 'test'): Generator {
  return { id, generate };
}

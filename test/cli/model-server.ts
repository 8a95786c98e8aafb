import { join } from 'node:path';
import { completion, embeddings, openAiServer, type Received } from '../models/openai-server.js';
import { surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

export const names = ['kettle', 'glacier', 'violin', 'harbour', 'meadow', 'router'];
const files = Object.fromEntries(
  names.map((name, at) => [
    `notes/${name}.txt`,
    `The ${name} of house number ${at} is older than the street it stands in.`,
  ]),
);
const passage = 'A tide table tells when the water in the harbour is high enough for a ship to enter.';

/** With `hangs`, what writes never answers. */
async function modelServer(hangs: boolean) {
  return openAiServer(({ body }: Received) =>
    body.input === undefined
      ? hangs
        ? 'hang'
        : { json: completion(passage) }
      : { json: embeddings(body.input.map((text) => [text.length, 1, text.charCodeAt(4), text.charCodeAt(5)])) },
  );
}

/** A folder of notes and a server of models, and the command line over both. */
export async function setUp({ hangs = false } = {}) {
  const home = await makeWorkspace(files);
  const server = await modelServer(hangs);
  const index = join(home, 'i.db');
  const variables = {
    SURMISE_GENERATOR_BASE_URL: server.url,
    SURMISE_EMBEDDER_BASE_URL: server.url,
    SURMISE_EMBEDDER_DIMENSIONS: '4',
  };
  const run = (...args: string[]) => surmise([...args, '--index', index, '--json'], { home, variables });
  const asked = (part: string) => server.received.filter(({ path }) => path.endsWith(part)).length;
  return { home, index, variables, run, asked, server };
}

export const embedder = ['--embedder', 'openai-compatible:tiny'];

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly [key: string]: unknown; readonly input?: string[]; readonly messages?: unknown };
  /** Settles when the answer is out or the client has gone. */
  readonly closed: Promise<void>;
}

export interface OpenAiServer extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** Settles when `count` requests have arrived. */
  arrived(count: number): Promise<void>;
}

/**
 * What a server answers: `json` with status 200, another status, never (`hang`), a byte now and then (`drip`), or it cuts
 * the connection (`reset`).
 */
export type Answer =
  | { readonly status?: number; readonly json: unknown; readonly headers?: Record<string, string> }
  | 'hang'
  | 'drip'
  | 'reset';

/** An HTTP server on loopback that records requests and answers as told. */
export async function openAiServer(
  answer: (request: Received, index: number) => Answer | Promise<Answer>,
): Promise<OpenAiServer> {
  const received: Received[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const closed = once(response, 'close').then(() => undefined);
    const body = JSON.parse(Buffer.concat(parts).toString());
    const entry: Received = { path: request.url ?? '', headers: request.headers, body, closed };
    const index = received.push(entry) - 1;
    for (const { count, resolve } of waiting) if (received.length >= count) resolve();
    const reply = await answer(entry, index);
    if (reply === 'hang') return;
    if (reply === 'reset') {
      request.socket.destroy();
      return;
    }
    if (reply === 'drip') {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      void closed.then(() => clearInterval(timer));
      return;
    }
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(typeof reply.json === 'string' ? reply.json : JSON.stringify(reply.json));
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    arrived: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The body of /v1/embeddings for these vectors, each with its index. */
export function embeddings(vectors: readonly (readonly unknown[])[]): unknown {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  return { object: 'list', model: 'm', data, usage: { prompt_tokens: 1, total_tokens: 1 } };
}

/** The body of /v1/chat/completions with this text. */
export function completion(content: string, finish_reason = 'stop'): unknown {
  const choice = { index: 0, message: { role: 'assistant', content }, finish_reason };
  return { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [choice], usage: {} };
}

/** An error body as OpenAI writes it. */
export function failure(status: number, message: string, headers: Record<string, string> = {}): Answer {
  return { status, headers, json: { error: { message, type: 'error', code: null } } };
}

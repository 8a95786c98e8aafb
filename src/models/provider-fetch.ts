/** Bytes of an answer: the largest batch of the largest vectors, written as decimal numbers, is a tenth of it. */
const maxBytes = 256 * 1024 * 1024;

/**
 * `fetch` for providers: an answer of more than 256 MB ends in an error instead of filling the memory, and vectors that
 * a server sends as base64 of little-endian float32 although numbers were asked for are turned into numbers.
 */
export async function providerFetch(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  const response = await globalThis.fetch(input, init);
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  if (!headers.get('content-type')?.includes('json'))
    return new Response(body.pipeThrough(bounded()), { status, statusText, headers });
  const text = await new Response(body.pipeThrough(bounded())).text();
  return new Response(withNumbers(text), { status, statusText, headers: withoutLength(headers) });
}

function bounded(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(part, controller) {
      bytes += part.byteLength;
      if (bytes > maxBytes) controller.error(new Error(`The answer is larger than ${maxBytes} bytes.`));
      else controller.enqueue(part);
    },
  });
}

/** The same JSON with arrays where `data[i].embedding` is text. What is of another form, or no JSON, stays as it is. */
function withNumbers(text: string): string {
  if (!/"embedding"\s*:\s*"/.test(text)) return text;
  try {
    const answer = JSON.parse(text) as { data: { embedding: unknown }[] };
    for (const item of answer.data) if (typeof item.embedding === 'string') item.embedding = numbersOf(item.embedding);
    return JSON.stringify(answer);
  } catch {
    return text;
  }
}

function numbersOf(base64: string): number[] {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Array.from({ length: bytes.byteLength / 4 }, (_, i) => view.getFloat32(i * 4, true));
}

function withoutLength(headers: Headers): Headers {
  const kept = new Headers(headers);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) kept.delete(name);
  return kept;
}

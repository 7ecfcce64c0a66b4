import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Control characters: a title, a cleared screen, C1 and DEL, a carriage return, right-to-left text. */
const HOSTILE = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u007f\r\u2028\u202e\u2066\u200f\t';

/** Fields with enum values, which roster compares. */
const words = new Set(['type', 'status', 'code']);

/** Adds control characters to every text in a JSON value, and to the names of metadata. */
function hostile(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return words.has(name) ? value : `${HOSTILE}${value}${HOSTILE}`;
  if (Array.isArray(value)) return value.map((item) => hostile(item, name));
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).map(([key, part]) => [
    name === 'metadata' ? `${key}${HOSTILE}` : key,
    hostile(part, key),
  ]);
  return Object.fromEntries(pairs);
}

/** Adds control characters to the body of a response, and keeps the framing of tRPC and Server-Sent Events. */
function hostileBody(text: string, type: string): string {
  if (!type.includes('event-stream')) return JSON.stringify(hostile(JSON.parse(text)));
  return text.replaceAll(
    /^data: (\{.*\})$/gm,
    (_, json: string) => `data: ${JSON.stringify(hostile(JSON.parse(json)))}`,
  );
}

/** Forwards a request and returns the response with control characters. */
async function relay(request: IncomingMessage, response: ServerResponse, target: string): Promise<void> {
  const body: Buffer[] = [];
  for await (const chunk of request) body.push(chunk);
  const {
    host: _,
    connection: __,
    'content-length': ___,
    'accept-encoding': ____,
    ...headers
  } = request.headers;
  const end = new AbortController();
  response.on('close', () => end.abort());
  const result = await fetch(`${target}${request.url}`, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    signal: end.signal,
    ...(body.length > 0 && { body: Buffer.concat(body) }),
  });
  const type = result.headers.get('content-type') ?? '';
  response.writeHead(result.status, { 'Content-Type': type });
  if (!type.includes('event-stream')) return void response.end(hostileBody(await result.text(), type));
  let rest = '';
  for await (const chunk of (result.body as ReadableStream<Uint8Array>).pipeThrough(
    new TextDecoderStream(),
  )) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    response.write(lines.map((line) => `${hostileBody(line, type)}\n`).join(''));
  }
  response.end(rest);
}

/** Starts a proxy of a service that adds control characters to every text in its responses. */
export async function startHostileProxy(target: string): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    relay(request, response, target).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

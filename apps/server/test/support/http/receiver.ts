import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A message that arrived, as it came over the wire. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** Its `webhook-id`. */
  id: string;
  type: string;
  /** The event, or what a test says. */
  data: Record<string, unknown>;
  /** How often a message of this id has come by now. */
  count: number;
}

/** What the receiver does with a message: responds, does not respond, or closes the connection. */
export type Reply =
  | { status: number; headers?: Record<string, string>; body?: string | Buffer }
  | 'hang'
  | 'cut';

/** A receiver of webhooks. */
export interface Receiver extends AsyncDisposable {
  /** Its URL, with a path of its own. */
  url: string;
  /** All that came, whatever it was answered. */
  received: Received[];
  /** What was answered 2xx, in the order it came. */
  taken: Received[];
  /** What it does with a message; 204 unless set. */
  onMessage: (message: Received) => Reply | Promise<Reply>;
  /** Ends every connection and listens no more. */
  stop(): Promise<void>;
  /** Listens again, at the same place. */
  start(): Promise<void>;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function reply(response: ServerResponse, what: Reply): void {
  if (what === 'cut') response.destroy();
  if (what === 'hang' || what === 'cut') return;
  response.writeHead(what.status, what.headers).end(what.body);
}

async function listenAt(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A real receiver on a free port. */
export async function startReceiver(): Promise<Receiver> {
  const counts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    const headers = request.headers as Record<string, string>;
    const id = headers['webhook-id'] ?? '';
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    const { type, data } = JSON.parse(body);
    const message = { path: request.url ?? '', headers, body, id, type, data, count };
    receiver.received.push(message);
    const what = await receiver.onMessage(message);
    if (typeof what === 'object' && what.status >= 200 && what.status < 300) receiver.taken.push(message);
    reply(response, what);
  });
  const port = await listenAt(server, 0);
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [],
    taken: [],
    onMessage: () => ({ status: 204 }),
    stop,
    start: async () => void (await listenAt(server, port)),
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await stop();
    },
  };
  return receiver;
}

/** A message as the public library verifies it; throws if the secret has not signed it. */
export function verified({ body, headers }: Received, secret: string): unknown {
  return new Webhook(secret).verify(body, headers);
}

import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PROBE_EVERY_MS = 50;
const PROBE_TIMEOUT_MS = 1_000;

/** Sends every request to the next server that says it is ready. It repeats nothing: what fails has failed. */
export interface Balancer extends AsyncDisposable {
  url: string;
  /** The servers that are ready at this moment. */
  ready(): string[];
}

/** A balancer before servers at these URLs, which may come and go. */
export async function startBalancer(servers: string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  let ready: string[] = [];
  let next = 0;
  const isReady = (url: string) =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
      ({ ok, body }) => body?.cancel().then(() => ok) ?? ok,
      () => false,
    );
  const probe = async () => {
    for (const url of servers) {
      const isWell = await isReady(url);
      if (isWell !== ready.includes(url)) {
        ready = isWell ? [...ready, url] : ready.filter((other) => other !== url);
      }
    }
  };
  const server = createServer((incoming, answer) => {
    next += 1;
    const url = ready[next % ready.length];
    if (url === undefined) return void answer.writeHead(502).end('no server is ready');
    forward(incoming, answer, { url, agent });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let isOpen = true;
  const probing = (async () => {
    while (isOpen) {
      await probe();
      await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
    }
  })();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => ready,
    [Symbol.asyncDispose]: async () => {
      isOpen = false;
      await probing;
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

function forward(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { url, agent }: { url: string; agent: Agent },
): void {
  const { method, headers } = incoming;
  const sent = request(new URL(incoming.url ?? '/', url), { method, headers, agent }, (received) => {
    // The connection to the server is the balancer's own affair (RFC 9110, section 7.6.1).
    const { connection: _, 'keep-alive': __, ...kept } = received.headers;
    answer.writeHead(received.statusCode ?? 502, kept);
    received.pipe(answer);
    received.once('error', () => answer.destroy());
  });
  sent.once('error', ({ message }) => {
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502).end(message);
  });
  answer.once('close', () => sent.destroy());
  incoming.pipe(sent);
}

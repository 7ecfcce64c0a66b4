import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** What came back, whole. */
export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

interface Asked {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** One caller of the deployment, with a connection of its own that it replaces now and then. */
export interface Caller {
  /** Throws where no whole answer came in time. */
  send(asked: Asked): Promise<Answer>;
  /**
   * Sends a request again and again until it has succeeded, since a part of a deployment may be broken at the moment, and reads its
   * answer as JSON. Throws after the patience, if one is given.
   */
  persist<Body>(asked: Asked, patienceMs?: number): Promise<Body>;
  close(): void;
}

const TIMEOUT_MS = 8_000;
const RETRY_MS = 100;
/** So that a balancer spreads new connections, as callers come and go. */
const REQUESTS_A_CONNECTION = 40;

async function whole(response: IncomingMessage): Promise<Answer> {
  const body = await text(response);
  if (!response.complete) throw new Error('the answer broke off');
  const { statusCode: status = 0, headers } = response;
  return { status, headers, body };
}

interface CallerOptions {
  port: number;
  key: string;
  /** How long a whole answer may take; 8 s unless given. */
  timeoutMs?: number;
}

/** A caller of the deployment at a port of this machine. */
export function openCaller({ port, key, timeoutMs = TIMEOUT_MS }: CallerOptions): Caller {
  let agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let count = 0;
  const renew = () => {
    agent.destroy();
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
    count = 0;
  };
  async function send({ method, path, headers = {}, body }: Asked): Promise<Answer> {
    if (count >= REQUESTS_A_CONNECTION) renew();
    count += 1;
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const late = AbortSignal.timeout(timeoutMs);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent,
      signal: late,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(payload !== undefined && {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(payload),
        }),
        ...headers,
      },
    });
    request.on('response', resolve).on('error', reject);
    request.end(payload);
    try {
      return await whole(await promise);
    } catch (error) {
      renew();
      throw late.aborted ? new Error(`no answer within ${timeoutMs / 1_000} s`) : error;
    }
  }
  async function persist<Body>(asked: Asked, patienceMs = Number.POSITIVE_INFINITY): Promise<Body> {
    for (const deadline = performance.now() + patienceMs; ; await sleep(RETRY_MS)) {
      const answer = await send(asked).catch((error: Error) => error);
      const what = answer instanceof Error ? answer.message : `${answer.status} ${answer.body}`;
      if (!(answer instanceof Error)) {
        const isGone = asked.method === 'DELETE' && answer.status === 404;
        if (answer.status < 300 || isGone) return (answer.body === '' ? {} : JSON.parse(answer.body)) as Body;
      }
      if (performance.now() > deadline) throw new Error(`${asked.method} ${asked.path} was answered ${what}`);
    }
  }
  return { send, persist, close: () => agent.destroy() };
}

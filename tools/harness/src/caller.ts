import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { KEY } from './server.ts';

/** What came back, whole. */
export interface Result {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A request to the deployment. */
export interface Asked {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

const TIMEOUT_MS = 8_000;
/** So that a balancer spreads new connections, as callers come and go. */
const REQUESTS_A_CONNECTION = 40;

async function whole(response: IncomingMessage): Promise<Result> {
  const body = await text(response);
  if (!response.complete) throw new Error('the response broke off');
  const { statusCode: status = 0, headers } = response;
  return { status, headers, body };
}

/**
 * A caller of the deployment at a port of this machine, with a connection of its own that it replaces now and then, and the key of all
 * scopes unless another is given.
 */
export function openCaller({ port, key = KEY }: { port: number; key?: string }) {
  let agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let count = 0;
  const renew = () => {
    agent.destroy();
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
    count = 0;
  };
  /** Throws where no whole response came in time. */
  async function send({ method, path, headers = {}, body }: Asked): Promise<Result> {
    if (count >= REQUESTS_A_CONNECTION) renew();
    count += 1;
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const late = AbortSignal.timeout(TIMEOUT_MS);
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
      throw late.aborted ? new Error(`no result within ${TIMEOUT_MS / 1_000} s`) : error;
    }
  }
  return { send, close: () => agent.destroy() };
}

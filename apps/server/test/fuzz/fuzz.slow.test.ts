import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Problem } from '@roster/api';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { watchContract } from '../support/contract.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { anyRequest, type FuzzRequest } from './requests.ts';

/** `pnpm --filter @roster/server run fuzz` sends more, and others each time; FUZZ_SEED repeats those that found something. */
const { FUZZ_REQUESTS, FUZZ_SEED } = process.env;
const REQUESTS = Number(FUZZ_REQUESTS ?? 3_000);
const SEED = Number(FUZZ_SEED ?? (FUZZ_REQUESTS === undefined ? 20_260_131 : Date.now() % 2 ** 31));

interface Response {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Ids of existing records by collection, the latest first, so that requests meet some. */
class KnownIds {
  readonly #ids: Record<string, string[]> = {};

  note({ status, headers }: Response): void {
    const [, collection = '', id = ''] = /^\/(\w+)\/([^/]+)$/.exec(headers.location ?? '') ?? [];
    if (status === 201) this.#ids[collection] = [id, ...(this.#ids[collection] ?? [])].slice(0, 10);
  }

  putInto(given: string): string {
    return given.replaceAll(/@(\w+):(\d)@/g, (_, collection: string, index: string) => {
      const ids = this.#ids[collection] ?? [];
      return ids[Number(index) % ids.length] ?? '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
    });
  }
}

const RpcError = z.strictObject({
  message: z.string().min(1),
  code: z.int(),
  data: z.strictObject({
    code: z.string(),
    httpStatus: z.int().max(499),
    path: z.string().optional(),
    problem: Problem,
  }),
});
const RpcResponse = z.union([
  z.strictObject({ result: z.strictObject({ data: z.unknown().optional() }) }),
  z.strictObject({ error: RpcError }),
]);

/** Expects each call of a response over RPC to have data or a problem, and its status to be theirs. */
function checkRpc({ status, text }: Response): void {
  const results = [z.union([RpcResponse, z.array(RpcResponse).min(1)]).parse(JSON.parse(text))].flat();
  const statuses = results.map((outcome) => {
    if (!('error' in outcome)) return 200;
    expect(outcome.error.data.problem.status).toBe(outcome.error.data.httpStatus);
    return outcome.error.data.httpStatus;
  });
  expect(status).toBe(new Set(statuses).size === 1 ? statuses[0] : 207);
}

/** Expects what holds for all responses. `watchContract` knows what holds for each operation. */
function check(response: Response): void {
  const { status, headers, text } = response;
  // An unknown method is the only client error of this class (RFC 9110, section 15.6.2).
  if (status !== 501) expect(status, text.slice(0, 300)).toBeLessThan(500);
  expect(headers).toHaveProperty('x-request-id');
  if (text === '') return;
  const type = headers['content-type']?.split(';', 1)[0];
  if (type === 'application/problem+json')
    expect(Problem.parse(JSON.parse(text))).toMatchObject({ status, requestId: headers['x-request-id'] });
  else if (type === 'application/json' && (status >= 400 || /^\[?\{"(result|error)":/.test(text)))
    checkRpc(response);
  else expect(status, `${status} as ${type}`).toBeLessThan(400);
}

/** Sends a request as it is: `fetch` would change its path. */
async function send({ url, key }: TestServer, agent: Agent, request: FuzzRequest): Promise<Response> {
  const { method, target, headers, body } = request;
  const ofBody = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body ?? '')),
  };
  const defaults = { authorization: `Bearer ${key}`, ...(body !== undefined && ofBody) };
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const options = {
    method,
    path: target,
    agent,
    headers: { ...defaults, ...own, 'accept-encoding': 'identity' },
  };
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const sent = httpRequest(url, options, (response) => {
    text(response).then(
      (received) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received }),
      reject,
    );
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

/** Statements are kept for each shape of a list, up to a bound; a leak with each request shows beyond it. */
const INCREASE_MAX = 16 * 1_024 * 1_024;

/** Bytes in use, on the heap and in buffers, after a collection of garbage. */
function memoryUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it(
  `responds to ${REQUESTS} requests of any kind as documented, and never with 500, and holds no memory afterwards`,
  async () => {
    let violations: string[] = [];
    await using server = await startTestServer({
      // No name is resolved, so that no message leaves this computer.
      webhooks: { isPrivateAllowed: false, resolve: (_, __, done) => done(new Error('no names here'), []) },
      observe: (app) => {
        violations = watchContract(app);
      },
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const known = new KnownIds();
    const statuses = new Map<number, number>();
    const isServed = fc.asyncProperty(anyRequest, async ({ target, body, ...request }) => {
      const sent = { ...request, target: known.putInto(target), body: body && known.putInto(body) };
      const response = await send(server, agent, sent);
      known.note(response);
      check(response);
      expect(violations.splice(0)).toEqual([]);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    });
    // In two halves: after the first, what is loaded or kept when it is needed first is there.
    const half = { numRuns: REQUESTS / 2, seed: SEED };
    await fc.assert(isServed, half);
    const before = memoryUsed();
    await fc.assert(isServed, { ...half, seed: SEED + 1 });
    expect(memoryUsed() - before).toBeLessThan(INCREASE_MAX);
    agent.destroy();
    // Requests that fail before they reach a route test no route: each of these statuses has to occur.
    for (const status of [200, 201, 204, 207, 304, 400, 401, 404, 405, 409, 412, 413, 415, 422])
      expect(statuses.get(status), `responses with ${status} of ${SEED}`).toBeGreaterThan(0);
  },
  25 * 60_000,
);

import { type FieldError, invalidParameter, RosterError } from '@roster/api';
import { RawJson, toRosterError } from '@roster/api/server';
import { getErrorShape, getTRPCErrorFromUnknown, type TRPCError } from '@trpc/server';
import { getHTTPStatusCode } from '@trpc/server/http';
import type { TRPCResponse } from '@trpc/server/rpc';
import type { FastifyRequest } from 'fastify';
import { callProcedure, type ProcedureCall, procedureType, type ServerContext } from '../../procedures.ts';
import { pointerInBody, rejectLostMembers } from '../json.ts';
import { parseQuery } from '../query-string.ts';

export interface Calls {
  isBatch: boolean;
  calls: ProcedureCall[];
}

export interface CallsResponse {
  status: number;
  body: readonly (string | Buffer)[];
  errors: TRPCError[];
}

type Result = { result: { data: unknown } } | { error: ReturnType<typeof getErrorShape> };

type Query = ReturnType<typeof parseQuery>;

/** Undefined if it is not JSON. Throws `invalid_parameter` or `validation_failed` for a member that would be lost. */
function parseInput(text: string, method: string, isBatch: boolean): { value: unknown } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  rejectLostMembers(text, value, (path) => {
    const own = isBatch ? path.slice(1) : path;
    return method === 'GET' ? { parameter: own[0] ?? 'input' } : pointerInBody(own);
  });
  return { value };
}

function inputText({ method, body }: FastifyRequest, query: Query): string | undefined {
  const text = method === 'GET' ? query.input?.[0] : body;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

const ofPost = ['batch'];
const ofGet = [...ofPost, 'input', 'connectionParams'];
const ofSubscription = [...ofGet, 'lastEventId', 'Last-Event-Id'];

/** tRPC ignores unknown parameters, and all but the first value. Throws `invalid_parameter`. */
function checkParameters(query: Query, method: string, path: string): void {
  for (const name in query) {
    const [value, second] = query[name] ?? [];
    const known = method === 'POST' ? ofPost : ofGet;
    const isKnown =
      known.includes(name) || (procedureType(path) === 'subscription' && ofSubscription.includes(name));
    if (!isKnown) throw invalidParameter(name, 'unknown_parameter', 'is not a parameter of this call');
    if (second !== undefined) throw invalidParameter(name, 'repeated', 'must be given once');
    if (name === 'batch' && value !== '1') throw invalidParameter(name, 'invalid_choice', 'must be 1');
  }
}

/** Throws `invalid_parameter` or `validation_failed` for inputs of no call. */
function checkInputs(value: object, count: number, method: string): void {
  const lost = Object.keys(value).filter((key) => !(/^\d+$/.test(key) && Number(key) < count));
  const [first] = lost;
  if (first === undefined) return;
  const fault = { code: 'not_allowed', detail: 'is the input of no call' };
  const errors: FieldError[] =
    method === 'GET'
      ? [{ parameter: 'input', ...fault }]
      : lost.slice(0, 10).map((key) => ({ ...pointerInBody([key]), ...fault }));
  const code = method === 'GET' ? 'invalid_parameter' : 'validation_failed';
  throw new RosterError(code, `${first} ${fault.detail}.`, { errors });
}

function parseCall(path: string, method: string, input: unknown): ProcedureCall | undefined {
  const type = procedureType(path);
  if (type !== 'query' && type !== 'mutation') return undefined;
  return (type === 'query') === (method === 'GET') ? { path, type, input } : undefined;
}

const streamed = /text\/event-stream|application\/jsonl/;

/**
 * Returns undefined for all that tRPC's own handler runs or rejects: subscriptions, streamed batches, unknown procedures, malformed
 * input, too large a batch. Throws for what tRPC would lose silently.
 */
export function parseCalls(request: FastifyRequest, paths: string, batchMax: number): Calls | undefined {
  const { method, headers, url } = request;
  // As strictly as in REST, whichever handler runs the calls.
  const query = parseQuery(url);
  checkParameters(query, method, paths);
  const isBatch = query.batch !== undefined;
  const text = inputText(request, query);
  const input = text === undefined ? { value: undefined } : parseInput(text, method, isBatch);
  const names = isBatch ? paths.split(',') : [paths];
  if (input === undefined || names.length > batchMax) return undefined;
  const { value } = input;
  if (isBatch && value !== undefined) {
    if (typeof value !== 'object' || value === null) return undefined;
    checkInputs(value, names.length, method);
  }
  if ('trpc-accept' in headers || streamed.test(headers.accept ?? '')) return undefined;
  if (query.connectionParams !== undefined) return undefined;
  const calls = names.map((name, index) =>
    parseCall(name, method, isBatch ? (value as Record<number, unknown> | undefined)?.[index] : value),
  );
  return calls.every((call) => call !== undefined) ? { isBatch, calls } : undefined;
}

interface RunOptions {
  context: ServerContext;
  onInternalError: (error: TRPCError) => void;
  onFinished: (call: FinishedCall) => void;
}

export interface FinishedCall {
  procedure: string;
  durationMs: number;
  error: RosterError | undefined;
}

/** Encodes the response as tRPC does, without a fetch `Request` and `Response` (docs/adr/0004-rest-by-trpc-to-openapi.md). */
export async function runCalls({ isBatch, calls }: Calls, options: RunOptions): Promise<CallsResponse> {
  const errors: (TRPCError | undefined)[] = calls.map(() => undefined);
  const results = await Promise.all(
    calls.map(async (call, index): Promise<Result> => {
      const startedMs = performance.now();
      let rosterError: RosterError | undefined;
      try {
        return { result: { data: await callProcedure(call, { ...options, batchIndex: index }) } };
      } catch (cause) {
        const error = getTRPCErrorFromUnknown(cause);
        errors[index] = error;
        rosterError = toRosterError(error);
        if (rosterError.status === 500) options.onInternalError(error);
        return { error: shapeOf(error, call, options) };
      } finally {
        const durationMs = performance.now() - startedMs;
        options.onFinished({ procedure: call.path, durationMs, error: rosterError });
      }
    }),
  );
  const status = getHTTPStatusCode(results as TRPCResponse[], errors);
  const texts = results.map(encodeResult);
  const body = isBatch
    ? ['[', ...texts.flatMap((parts, at) => (at === 0 ? parts : [',', ...parts])), ']']
    : texts.flat();
  return { status, body, errors: errors.filter((error) => error !== undefined) };
}

function encodeResult(result: Result): readonly (string | Buffer)[] {
  if ('error' in result || !(result.result.data instanceof RawJson)) return [JSON.stringify(result)];
  return ['{"result":{"data":', ...result.result.data.take(), '}}'];
}

function shapeOf(error: TRPCError, { path, type, input }: ProcedureCall, { context }: RunOptions) {
  return getErrorShape({ config: context.router._def._config, error, type, path, input, ctx: context });
}

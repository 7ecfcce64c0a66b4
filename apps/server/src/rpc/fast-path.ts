import type { RosterError } from '@roster/api';
import {
  appRouter,
  type BinaryString,
  type Context,
  encodeBinaryString,
  RawJson,
  toRosterError,
} from '@roster/api/server';
import { getErrorShape, getTRPCErrorFromUnknown, type TRPCError } from '@trpc/server';
import { getHTTPStatusCode } from '@trpc/server/http';
import type { FastifyRequest } from 'fastify';
import { placeInBody, rejectReservedNames } from '../http/json-input.ts';
import { parseQuery } from '../http/query-string.ts';
import { callProcedure, type ProcedureCall, procedureType } from '../procedures.ts';

export interface Calls {
  /** Whether the answer is a list, one for each call. */
  isBatch: boolean;
  calls: ProcedureCall[];
}

export interface CallsAnswer {
  status: number;
  /** One after another. */
  body: readonly BinaryString[];
  errors: TRPCError[];
}

type Answer = { result: { data: unknown } } | { error: ReturnType<typeof getErrorShape> };

type Query = ReturnType<typeof parseQuery>;

/**
 * The input of all calls, parsed; undefined where it is no JSON. Throws `invalid_parameter` or `validation_failed` for a
 * name that no field may have.
 */
function readInput(text: string, method: string, isBatch: boolean): { value: unknown } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  rejectReservedNames(text, value, (path) => {
    // In a batch the first name is the place of the call.
    const own = isBatch ? path.slice(1) : path;
    return method === 'GET' ? { parameter: own[0] ?? '__proto__' } : placeInBody(own);
  });
  return { value };
}

/** The text of the input: in the query of a GET, the body of a POST; undefined where there is none. */
function inputText({ method, body }: FastifyRequest, query: Query): string | undefined {
  const text = method === 'GET' ? query.input?.[0] : body;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** A call as any client of tRPC makes it: of a procedure there is, by its own method. */
function callOf(path: string, method: string, input: unknown): ProcedureCall | undefined {
  const type = procedureType(path);
  if (type !== 'query' && type !== 'mutation') return undefined;
  return (type === 'query') === (method === 'GET') ? { path, type, input } : undefined;
}

const streamed = /text\/event-stream|application\/jsonl/;

/**
 * Reads the calls of a request that is as tRPC's clients send it. Answers undefined for every other one: a
 * subscription, a stream, an unknown procedure, an unreadable input, too large a batch; those are for tRPC's own
 * handler to serve or to refuse. Throws what is wrong with the encoding of the query or with a name in the input.
 */
export function plainCalls(request: FastifyRequest, paths: string, batchMax: number): Calls | undefined {
  const { method, headers, url } = request;
  // Read as strictly as in REST, whoever answers in the end.
  const query = parseQuery(url);
  const isBatch = query.batch?.[0] === '1';
  const text = inputText(request, query);
  const input = text === undefined ? { value: undefined } : readInput(text, method, isBatch);
  if ('trpc-accept' in headers || streamed.test(headers.accept ?? '')) return undefined;
  if (query.connectionParams !== undefined) return undefined;
  const names = isBatch ? paths.split(',') : [paths];
  if (input === undefined || names.length > batchMax) return undefined;
  const { value } = input;
  if (isBatch && value !== undefined && (typeof value !== 'object' || value === null)) return undefined;
  const calls = names.map((name, index) =>
    callOf(name, method, isBatch ? (value as Record<number, unknown> | undefined)?.[index] : value),
  );
  return calls.every((call) => call !== undefined) ? { isBatch, calls } : undefined;
}

interface Calling {
  context: Context;
  signal: AbortSignal;
  /** Told of every refusal that is our own fault. */
  onInternal: (error: TRPCError) => void;
  /** Told of every call when it has ended. */
  onEnded: (call: EndedCall) => void;
}

/** One call that has ended, and why it was refused if it was. */
export interface EndedCall {
  procedure: string;
  durationMs: number;
  refusal: RosterError | undefined;
}

/** Calls the procedures, all at once, and answers as tRPC does. */
export async function answerCalls({ isBatch, calls }: Calls, calling: Calling): Promise<CallsAnswer> {
  const errors: (TRPCError | undefined)[] = calls.map(() => undefined);
  const answers = await Promise.all(
    calls.map(async (call, index): Promise<Answer> => {
      const startedMs = performance.now();
      let refusal: RosterError | undefined;
      try {
        return { result: { data: await callProcedure(call, { ...calling, batchIndex: index }) } };
      } catch (cause) {
        const error = getTRPCErrorFromUnknown(cause);
        errors[index] = error;
        refusal = toRosterError(error);
        if (refusal.status === 500) calling.onInternal(error);
        return { error: shapeOf(error, call, calling) };
      } finally {
        calling.onEnded({ procedure: call.path, durationMs: performance.now() - startedMs, refusal });
      }
    }),
  );
  const status = getHTTPStatusCode(answers as never, errors);
  const texts = answers.map(partsOf);
  const body = isBatch
    ? ['[', ...texts.flatMap((parts, at) => (at === 0 ? parts : [',', ...parts])), ']']
    : texts.flat();
  return { status, body, errors: errors.filter((error) => error !== undefined) };
}

/** The JSON of an answer; what is JSON already goes into it as it is. */
function partsOf(answer: Answer): readonly BinaryString[] {
  if ('error' in answer || !(answer.result.data instanceof RawJson))
    return [encodeBinaryString(JSON.stringify(answer))];
  return ['{"result":{"data":', ...answer.result.data.take(), '}}'];
}

function shapeOf(error: TRPCError, { path, type, input }: ProcedureCall, { context }: Calling) {
  return getErrorShape({ config: appRouter._def._config, error, type, path, input, ctx: context });
}

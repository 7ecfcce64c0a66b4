import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Problem } from '@roster/api';
import { z } from 'zod';
import type { WireAnswer } from './wire.ts';

/** The response to one call over RPC: the data, or the problem in tRPC's envelope. */
const RpcAnswer = z.union([
  z.strictObject({ result: z.strictObject({ data: z.unknown().optional() }) }),
  z.strictObject({
    error: z.strictObject({
      message: z.string().min(1),
      code: z.int(),
      data: z.strictObject({
        code: z.string(),
        httpStatus: z.int().max(499),
        path: z.string().optional(),
        problem: Problem,
      }),
    }),
  }),
]);
const RpcAnswers = z.union([RpcAnswer, z.array(RpcAnswer).min(1)]);

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  deflate: inflateSync,
};

function textOf({ headers, body }: WireAnswer): string {
  const encoding = headers.get('content-encoding');
  const decode = encoding === undefined ? undefined : decoders[encoding];
  if (encoding !== undefined && decode === undefined) throw new Error(`unknown encoding ${encoding}`);
  return new TextDecoder('utf-8', { fatal: true }).decode(decode?.(body) ?? body);
}

function checkProblem(text: string, { status, headers }: WireAnswer): void {
  const problem = Problem.parse(JSON.parse(text));
  if (problem.status !== status) throw new Error(`a problem of ${problem.status} with the status ${status}`);
  if (problem.requestId !== headers.get('x-request-id')) throw new Error('a problem of another request');
}

function checkRpc(text: string, { status }: WireAnswer): void {
  const parsed = RpcAnswers.parse(JSON.parse(text));
  const answers = [parsed].flat();
  const statuses = new Set(answers.map((answer) => ('error' in answer ? answer.error.data.httpStatus : 200)));
  const expected = statuses.size === 1 ? [...statuses][0] : 207;
  if (status !== expected) throw new Error(`the status ${status} for ${[...statuses].join(', ')}`);
  for (const answer of answers) {
    if (!('error' in answer)) continue;
    const { httpStatus, problem } = answer.error.data;
    if (problem.status !== httpStatus) throw new Error(`a problem of ${problem.status} with ${httpStatus}`);
  }
}

/** The most errors that one response may name. */
const FAULTS_NAMED_MAX = 1_000;

function checkFaults(text: string): void {
  const named = text.match(/"pointer":/g)?.length ?? 0;
  if (named > FAULTS_NAMED_MAX)
    throw new Error(`an answer of ${text.length} characters names ${named} faults`);
}

interface Expected {
  isHead: boolean;
  /** Whether the request must not have been served. */
  isRejected?: boolean | undefined;
}

/** Throws if a response breaks a rule for all responses. `watchContract` checks the rules of each operation. */
export function judge(answer: WireAnswer, { isHead, isRejected = false }: Expected): void {
  const { status, headers } = answer;
  if (isRejected && status < 400) throw new Error(`the status ${status} for what must be rejected`);
  const undocumented = headers.get('x-not-as-documented');
  if (undocumented !== undefined) throw new Error(decodeURIComponent(undocumented));
  // An unknown method is the only client error of this class (RFC 9110, section 15.6.2).
  const isUnknownMethod = status === 501 && !isRejected;
  if (status >= 500 && !isUnknownMethod)
    throw new Error(`the status ${status}: ${textOf(answer).slice(0, 300)}`);
  if (!headers.has('x-request-id')) throw new Error(`${status} without X-Request-Id`);
  if (isHead || status === 204 || status === 304) return;
  const type = headers.get('content-type')?.split(';', 1)[0];
  const text = textOf(answer);
  if (status >= 207) checkFaults(text);
  const isRpc = status >= 400 || /^\[?\{"(result|error)":/.test(text);
  if (type === 'application/problem+json') checkProblem(text, answer);
  else if (type === 'application/json' && isRpc) checkRpc(text, answer);
  else if (type === 'application/json') JSON.parse(text);
  else if (status >= 400) throw new Error(`${status} as ${type}: ${text.slice(0, 300)}`);
}

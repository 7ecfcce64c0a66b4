import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import type { RejectedInput } from '../errors/describe-issue.ts';
import { RosterError } from '../errors/roster-error.ts';
import { isOutcomeUnknown, toRosterError } from '../errors/to-roster-error.ts';
import type { Meta, t } from './init.ts';

export type MiddlewareCall = Parameters<Parameters<typeof t.middleware>[0]>[0];

/** Returns a `RosterError` for whatever a call has thrown. */
export async function mappedError(
  { ctx, path, type, meta, getRawInput }: MiddlewareCall,
  error: unknown,
): Promise<RosterError> {
  // After an error of the schema the input was already parsed, so reading it can't fail.
  const isOfSchema = error instanceof Error && error.cause instanceof z.ZodError;
  const input = isOfSchema ? await getRawInput() : undefined;
  const isParameter = parametersOf(meta?.openapi);
  // Only RPC has inputs other than objects; a query has them in the URL.
  const whole = type === 'mutation' ? undefined : 'input';
  const rosterError = toRosterError(error, { isParameter, whole, input });
  if (type === 'mutation' && isOutcomeUnknown(rosterError))
    return unknownOutcome(rosterError, isRepeatable(meta) && ctx.request.idempotencyKey() !== undefined);
  return isOfSchema ? suggestParameters(rosterError, ctx.request.parametersOf(path)) : rosterError;
}

function isRepeatable(meta: Meta | undefined): boolean {
  const method = meta?.openapi?.method;
  return method === 'POST' || method === 'PATCH';
}

/** Many clients repeat a 503 with Retry-After by themselves, which would make a change twice. */
function unknownOutcome({ cause }: RosterError, hasKey: boolean): RosterError {
  const advice = hasKey
    ? 'Send it again with the same Idempotency-Key: it is made once.'
    : 'Check before you send it again.';
  const detail = `The connection to the database broke, and the change may have been made. ${advice}`;
  return new RosterError('unavailable', detail, { cause, retryAfter: hasKey ? 1 : undefined });
}

/** Which inputs REST has in the path or the query; all if there is no body. */
function parametersOf(openapi: Meta['openapi']): RejectedInput['isParameter'] {
  const { method = 'GET', path = '/' } = openapi ?? {};
  if (method === 'GET' || method === 'DELETE') return () => true;
  return (name) => path.includes(`{${name}}`);
}

const NAME_MAX_CHARACTERS = 100;

function findNearest(name: string, parameters: readonly string[]): string | undefined {
  if (parameters.length === 0 || name.length > NAME_MAX_CHARACTERS) return undefined;
  const nearest = closest(name, parameters);
  return distance(name, nearest) <= Math.max(name.length, nearest.length) / 2 ? nearest : undefined;
}

function suggestParameters(error: RosterError, parameters: readonly string[]): RosterError {
  if (error.errorCode !== 'invalid_parameter') return error;
  const suggestions = new Set<string>();
  const errors = error.errors?.map((one) => {
    if (one.code !== 'unknown_parameter' || one.parameter === undefined) return one;
    const nearest = findNearest(one.parameter, parameters);
    if (nearest === undefined) return one;
    suggestions.add(nearest);
    return { ...one, detail: `${one.detail} (did you mean ${nearest}?)` };
  });
  if (errors === undefined || suggestions.size === 0) return error;
  const { errorsOmitted, cause } = error;
  const detail = `${error.message} Did you mean ${[...suggestions].join(' and ')}?`;
  return new RosterError(error.errorCode, detail, { errors, errorsOmitted, cause });
}

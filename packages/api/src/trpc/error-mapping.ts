import { z } from 'zod';
import type { RejectedInput } from '../errors/describe-issue.ts';
import { RosterError } from '../errors/roster-error.ts';
import { suggestParameters } from '../errors/suggest-parameters.ts';
import { isOutcomeUnknown, toRosterError } from '../errors/to-roster-error.ts';
import type { t } from './init.ts';
import type { Meta } from './meta.ts';

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

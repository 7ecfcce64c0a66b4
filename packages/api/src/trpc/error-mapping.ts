import { z } from 'zod';
import type { RejectedInput } from '../errors/describe-issue.ts';
import { suggestParameters } from '../errors/suggest-parameters.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import type { t } from './init.ts';
import type { Meta } from './meta.ts';

/** The options that tRPC passes to a middleware. */
export type MiddlewareCall = Parameters<Parameters<typeof t.middleware>[0]>[0];

/** The result of the rest of a call, as tRPC returns it. */
type Outcome = { ok: true } | { ok: false; error: Error };

/**
 * Runs a call and converts whatever it throws to a `RosterError`, the same for REST and RPC. After a mutation it tells the
 * host that events may have been written.
 */
export async function mapErrors<Result extends Outcome>(
  { ctx, path, type, meta, getRawInput }: MiddlewareCall,
  run: () => Promise<Result>,
): Promise<Result> {
  let error: unknown;
  try {
    const result: Outcome = await run();
    if (result.ok) {
      if (type === 'mutation') ctx.request.committed('events');
      return result as Result;
    }
    error = result.error;
  } catch (thrown) {
    error = thrown;
  }
  // Only for an error of the schema: then the input has been parsed, and reading it cannot fail.
  const isOfSchema = error instanceof Error && error.cause instanceof z.ZodError;
  const input = isOfSchema ? await getRawInput() : undefined;
  const isParameter = parametersOf(meta?.openapi);
  // Only RPC has an input that is no object; a query has it in the URL.
  const whole = type === 'mutation' ? undefined : 'input';
  const rosterError = toRosterError(error, { isParameter, whole, input });
  throw isOfSchema ? suggestParameters(rosterError, ctx.request.parametersOf(path)) : rosterError;
}

/** Tells which names of an input REST takes from the path or the query: without a body all of them. */
function parametersOf(openapi: Meta['openapi']): RejectedInput['isParameter'] {
  const { method = 'GET', path = '/' } = openapi ?? {};
  if (method === 'GET' || method === 'DELETE') return () => true;
  return (name) => path.includes(`{${name}}`);
}

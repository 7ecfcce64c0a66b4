import { z } from 'zod';
import type { RejectedInput } from '../errors/describe-issue.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import { t } from './init.ts';
import type { Meta } from './meta.ts';

/**
 * The outermost middleware: converts whatever a procedure throws to a `RosterError`, the same for REST and RPC. After a
 * mutation it tells the notifier that events may have been written.
 */
export const mapErrors = t.middleware((call) => {
  const { ctx, path, type } = call;
  const { instrument } = ctx.services;
  return instrument === undefined
    ? runAndMapErrors(call)
    : instrument({ procedure: path, type }, () => runAndMapErrors(call));
});

type MiddlewareCall = Parameters<Parameters<typeof t.middleware>[0]>[0];

async function runAndMapErrors({ ctx, next, type, meta, getRawInput }: MiddlewareCall) {
  const result = await next();
  if (result.ok && type === 'mutation') ctx.services.notifier.onCommit();
  if (result.ok) return result;
  // Only for an error of the schema: then the input has been parsed, and reading it cannot fail.
  const input = result.error.cause instanceof z.ZodError ? await getRawInput() : undefined;
  throw toRosterError(result.error, { isParameter: parametersOf(meta?.openapi), input });
}

/** Tells which names of an input REST takes from the path or the query: without a body all of them. */
function parametersOf(openapi: Meta['openapi']): RejectedInput['isParameter'] {
  const { method = 'GET', path = '/' } = openapi ?? {};
  if (method === 'GET' || method === 'DELETE') return () => true;
  return (name) => path.includes(`{${name}}`);
}

import { limitFor } from '../access/caller.ts';
import { RosterError } from '../errors/roster-error.ts';
import type { CallContext } from './context.ts';
import type { MiddlewareCall } from './error-mapping.ts';
import type { Meta } from './init.ts';
import { checkInputSize, checkInputSizeExcept } from './input-limits.ts';

const UNLIMITED_ONLY = 'This operation is not available if your access is restricted to certain offices.';

type Granted = Pick<CallContext, 'caller' | 'limit'>;

/** Throws `unauthenticated`, `insufficient_scope`, and the errors of the size checks. */
export async function authorize(
  { ctx: { request }, meta, path, type }: Pick<MiddlewareCall, 'ctx' | 'meta' | 'path' | 'type'>,
  getRawInput: () => Promise<unknown>,
): Promise<Granted> {
  const caller = await request.authenticate();
  const { scope, orScopes, isManaged, isForEveryCaller = false, isLimited = isForEveryCaller } = meta ?? {};
  if (scope === undefined && !isForEveryCaller) throw new Error(`${path} has no scope`);
  const limit = limitFor(caller, { scope, orScopes, isManaged });
  if (limit !== undefined && !isLimited) throw new RosterError('insufficient_scope', UNLIMITED_ONLY);

  if (type === 'mutation') await checkInput(await getRawInput(), meta, request);
  return { caller, limit };
}

/** Imported records that count as one request. */
export const RECORDS_OF_REQUEST = 50;

/** Runs before the schema. An import checks its records one by one. */
async function checkInput(
  input: unknown,
  meta: Meta | undefined,
  { charge }: { charge: (cost: number) => Promise<void> },
): Promise<void> {
  if (!meta?.isPartial) return checkInputSize(input);
  await checkInputSizeExcept('records', input);
  await charge(costOfRecords(input));
}

function costOfRecords(input: unknown): number {
  if (typeof input !== 'object' || input === null || !('records' in input)) return 0;
  const { records } = input;
  return Array.isArray(records) ? Math.max(0, Math.ceil(records.length / RECORDS_OF_REQUEST) - 1) : 0;
}

import { codeOf, type Database, SQLSTATE } from '@roster/db';
import type { Transaction } from 'kysely';
import type { ResourceDefinition } from '../engine/definition.ts';
import type { Limited } from '../engine/write/mutations.ts';
import { withSavepoint } from '../engine/write/transaction.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import { dependentsError } from './dependents.ts';
import { notFound } from './service.ts';

/** A field that an undo skips because it was changed since. */
export interface FieldConflict {
  /** A part of an object follows a dot. */
  field: string;
  previous: unknown;
  set: unknown;
  current: unknown;
}

export interface RecordError {
  id: string;
  code: ErrorCode;
  detail: string;
  fields: FieldConflict[];
}

/** Each record is in one of the first three lists. */
export interface Outcome {
  changed: string[];
  unchanged: string[];
  rejected: RecordError[];
  partial: RecordError[];
}

const noOutcome: Readonly<Outcome> = { changed: [], unchanged: [], rejected: [], partial: [] };

/** Changes records in few statements. Rejects if a rule rejects one, without keeping anything. */
export type ChangeRecords = (ids: readonly string[]) => Promise<Outcome>;

type DescribeError = (error: unknown, id: string) => Promise<RecordError>;

const referenceErrors: ReadonlySet<string> = new Set(['has_dependents', 'reference_not_found']);
const ATTEMPTS_MAX = 3;

const join = (first: Outcome, second: Outcome): Outcome => ({
  changed: [...first.changed, ...second.changed],
  unchanged: [...first.unchanged, ...second.unchanged],
  rejected: [...first.rejected, ...second.rejected],
  partial: [...first.partial, ...second.partial],
});

/**
 * Changes as many records as possible. If a rule rejects one, they are tried in halves: n rejected among m
 * take about n × log2(m) statements. Rejections because of references are tried again, since a record can be
 * deleted once those that refer to it are. Rejects if the database is unavailable, slow or overloaded, or for
 * an internal error: then roll back the transaction.
 */
export async function changeEach(
  trx: Transaction<Database>,
  ids: readonly string[],
  change: ChangeRecords,
  describe: DescribeError,
): Promise<Outcome> {
  let outcome = await halved(trx, ids, change, describe);
  for (let attempt = 2; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const isReference = ({ code }: RecordError) => referenceErrors.has(code);
    const waiting = outcome.rejected.filter(isReference).map(({ id }) => id);
    if (waiting.length === 0 || outcome.changed.length === 0) break;
    const again = await halved(trx, waiting, change, describe);
    const rejected = outcome.rejected.filter((error) => !isReference(error));
    outcome = join({ ...outcome, rejected }, again);
    if (again.changed.length === 0) break;
  }
  return outcome;
}

function halved(
  trx: Transaction<Database>,
  ids: readonly string[],
  change: ChangeRecords,
  describe: DescribeError,
): Promise<Outcome> {
  return inHalves(trx, ids, {
    act: change,
    reject: async (error, id) => ({ ...noOutcome, rejected: [await describe(error, id)] }),
    join,
    nothing: noOutcome,
  });
}

interface HalvedWork<Item, Result> {
  act: (items: readonly Item[]) => Promise<Result>;
  reject: (error: unknown, item: Item) => Promise<Result>;
  join: (first: Result, second: Result) => Result;
  nothing: Result;
}

/** All at once, or in halves down to a rejected item. Rejects like `changeEach`. */
export async function inHalves<Item, Result>(
  trx: Transaction<Database>,
  items: readonly Item[],
  work: HalvedWork<Item, Result>,
): Promise<Result> {
  const [first] = items;
  if (first === undefined) return work.nothing;
  try {
    return await withSavepoint(trx, () => work.act(items));
  } catch (error) {
    if (toRosterError(error).status >= 500) throw error;
    if (items.length === 1) return work.reject(error, first);
    const middle = Math.ceil(items.length / 2);
    const left = await inHalves(trx, items.slice(0, middle), work);
    return work.join(left, await inHalves(trx, items.slice(middle), work));
  }
}

export async function describeError(
  trx: Transaction<Database>,
  resource: Pick<ResourceDefinition, 'table'>,
  { error: thrown, id, isDeletion, limit }: Limited & { error: unknown; id: string; isDeletion: boolean },
): Promise<RecordError> {
  const isReferredTo = isDeletion && codeOf(thrown) === SQLSTATE.foreignKeyViolation;
  const error = isReferredTo ? await dependentsError(trx, resource, { id, limit, cause: thrown }) : thrown;
  const { errorCode, message } = toRosterError(error);
  return { id, code: errorCode, detail: message, fields: [] };
}

export function notFoundError(resource: Pick<ResourceDefinition, 'table'>, id: string): RecordError {
  const { errorCode, message } = notFound(resource, id);
  return { id, code: errorCode, detail: message, fields: [] };
}

import { codeOf, type Database, SQLSTATE } from '@roster/db';
import type { Transaction } from 'kysely';
import type { ResourceDefinition } from '../engine/definition.ts';
import type { Limited } from '../engine/write/mutations.ts';
import { withSavepoint } from '../engine/write/transaction.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import { dependentsError } from './dependents.ts';
import { notFound } from './service.ts';

/** A field that an undo leaves as it is, because it was changed since. */
export interface FieldConflict {
  /** The field; a part of an object follows a dot. */
  field: string;
  /** Its value before the change that is undone, and the one that this gave it. */
  previous: unknown;
  set: unknown;
  /** Its value now, which stays. */
  current: unknown;
}

/** The error of one of many records. */
export interface RecordError {
  id: string;
  code: ErrorCode;
  detail: string;
  /** The fields that the error is about; none if it is about the whole record. */
  fields: FieldConflict[];
}

/** The outcome for some records: each is in one of the first three lists. */
export interface Outcome {
  changed: string[];
  unchanged: string[];
  rejected: RecordError[];
  /** Of the changed records those of which some fields could not be changed. */
  partial: RecordError[];
}

const noOutcome: Readonly<Outcome> = { changed: [], unchanged: [], rejected: [], partial: [] };

/** Changes records in one statement, or a few. Rejects if a rule rejects one of them; then nothing may be kept of it. */
export type ChangeRecords = (ids: readonly string[]) => Promise<Outcome>;

/** Describes why a rule rejects one record. */
type DescribeError = (error: unknown, id: string) => Promise<RecordError>;

/** The errors that end when other records are changed. */
const referenceErrors: ReadonlySet<string> = new Set(['has_dependents', 'reference_not_found']);
/** The most times that records are tried, as long as others are changed. */
const ATTEMPTS_MAX = 3;

const join = (first: Outcome, second: Outcome): Outcome => ({
  changed: [...first.changed, ...second.changed],
  unchanged: [...first.unchanged, ...second.unchanged],
  rejected: [...first.rejected, ...second.rejected],
  partial: [...first.partial, ...second.partial],
});

/**
 * Changes records, as many as possible, in a transaction. If a rule rejects one of them, they are tried in halves, so that
 * n rejected ones among m take about n × log2(m) statements. A record that was rejected because of a reference is tried again:
 * it can be deleted once those are that refer to it.
 *
 * Rejects if the database is unavailable, slow or overloaded, or an error is internal: then the transaction has to be rolled
 * back.
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

/** The work on items, and the result of one that a rule rejects. */
interface HalvedWork<Item, Result> {
  act: (items: readonly Item[]) => Promise<Result>;
  reject: (error: unknown, item: Item) => Promise<Result>;
  join: (first: Result, second: Result) => Result;
  nothing: Result;
}

/**
 * Works on items in a transaction, all at once if no rule rejects one of them, else in halves, down to the one that is rejected.
 * Rejects if the database is unavailable, slow or overloaded, or an error is internal.
 */
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

/** The error of a record as a caller would receive it for this record alone. */
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

/** The error of a record that is not there, or not within the limit, any more. */
export function notFoundError(resource: Pick<ResourceDefinition, 'table'>, id: string): RecordError {
  const { errorCode, message } = notFound(resource, id);
  return { id, code: errorCode, detail: message, fields: [] };
}

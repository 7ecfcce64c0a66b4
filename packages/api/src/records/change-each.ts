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
type ChangeRecords = (ids: readonly string[]) => Promise<Outcome>;

interface EachRecord {
  change: ChangeRecords;
  describe: (error: unknown, id: string) => Promise<RecordError>;
  /** Records with the same link are changed together where that is possible. */
  linkOf?: ((id: string) => unknown) | undefined;
}

/** Rejections because of records that can change with others. */
const dependentErrors: ReadonlySet<string> = new Set([
  'has_dependents',
  'reference_not_found',
  'email_taken',
]);
const ATTEMPTS_MAX = 3;

const join = (first: Outcome, second: Outcome): Outcome => ({
  changed: [...first.changed, ...second.changed],
  unchanged: [...first.unchanged, ...second.unchanged],
  rejected: [...first.rejected, ...second.rejected],
  partial: [...first.partial, ...second.partial],
});

/**
 * Changes as many records as possible. If a rule rejects one, they are tried in halves: n rejected among m
 * take about n × log2(m) statements. Rejections because of other records are tried again, since a record can be
 * deleted once those that refer to it are, and an email address be taken once another record has left it.
 * Rejects if the database is unavailable, slow or overloaded, or for an internal error: then roll back the
 * transaction.
 */
export async function changeEach(
  trx: Transaction<Database>,
  ids: readonly string[],
  work: EachRecord,
): Promise<Outcome> {
  let outcome = await halved(trx, ids, work);
  for (let attempt = 2; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const isDependent = ({ code }: RecordError) => dependentErrors.has(code);
    const waiting = outcome.rejected.filter(isDependent).map(({ id }) => id);
    if (waiting.length === 0 || outcome.changed.length === 0) break;
    const again = await halved(trx, waiting, work);
    const rejected = outcome.rejected.filter((error) => !isDependent(error));
    outcome = join({ ...outcome, rejected }, again);
    if (again.changed.length === 0) break;
  }
  return outcome;
}

function halved(
  trx: Transaction<Database>,
  ids: readonly string[],
  { change, describe, linkOf }: EachRecord,
): Promise<Outcome> {
  return inHalves(trx, ids, {
    act: change,
    linkOf,
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
  /** Items with the same link are halved only if they are rejected by themselves. */
  linkOf?: ((item: Item) => unknown) | undefined;
}

/** All at once, or in halves down to a rejected item. Rejects like `changeEach`. */
export async function inHalves<Item, Result>(
  trx: Transaction<Database>,
  items: readonly Item[],
  { linkOf, ...work }: HalvedWork<Item, Result>,
): Promise<Result> {
  const [first] = items;
  if (first === undefined) return work.nothing;
  try {
    return await withSavepoint(trx, () => work.act(items));
  } catch (error) {
    if (toRosterError(error).status >= 500) throw error;
    if (items.length === 1) return work.reject(error, first);
    const linked = linkOf === undefined ? [] : [...Map.groupBy(items, linkOf).values()];
    // Without links each item is by itself, as are those of one link that are rejected.
    const [units, options] =
      linked.length > 1 ? [linked, { ...work, linkOf }] : [items.map((item) => [item]), work];
    const middle = Math.ceil(units.length / 2);
    const left = await inHalves(trx, units.slice(0, middle).flat(), options);
    return work.join(left, await inHalves(trx, units.slice(middle).flat(), options));
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

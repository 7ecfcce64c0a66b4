import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { ResourceDefinition } from '../../engine/definition.ts';
import type { ChangeCause } from '../../engine/outbox/event-outbox.ts';
import {
  byIds,
  changeRecords,
  deleteRecords,
  type Limited,
  type MutationResult,
} from '../../engine/write/mutations.ts';
import { findTelephoneCountries } from '../../engine/write/telephone-countries.ts';
import {
  describeTelephoneIssues,
  findTelephones,
  hasUnreadTelephones,
  readTelephones,
} from '../../engine/write/telephones.ts';
import {
  changeEach,
  describeError,
  notFoundError,
  type Outcome,
  type RecordError,
} from '../../records/change-each.ts';
import { deactivation, reactivation, transfer, writtenColumns } from '../../records/service.ts';
import type { BulkChange } from './schemas.ts';

type Update = Extract<BulkChange, { type: 'update' }>;

interface Change extends Limited {
  ids: readonly string[];
  change: BulkChange;
  cause: ChangeCause;
  defaultCountry: string | undefined;
}

function changeOf(
  resource: ResourceDefinition,
  change: Exclude<BulkChange, { type: 'delete' }>,
  cause: ChangeCause,
) {
  switch (change.type) {
    case 'update':
      return {
        columns: writtenColumns(resource, change.patch, { isPatch: true }),
        verb: 'updated' as const,
        cause,
      };
    case 'deactivate':
      return deactivation(cause);
    case 'reactivate':
      return reactivation(cause);
    case 'transfer':
      return transfer(resource, change.officeId, cause);
  }
}

interface PatchedRecords {
  change: BulkChange;
  ids: readonly string[];
}

async function readForEach(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, change, ...sources }: Pick<Change, 'ids' | 'defaultCountry' | 'limit'> & { change: Update },
): Promise<{ groups: PatchedRecords[]; rejected: RecordError[] }> {
  const records = await findTelephones(trx, resource, ids);
  const groups = new Map<string, PatchedRecords>();
  const rejected: RecordError[] = [];
  const inputs = [...records.values()].map((record) => ({ input: change.patch, record }));
  const countries = await findTelephoneCountries(trx, resource, inputs, sources);
  for (const [place, [id, record]] of [...records].entries()) {
    const country = countries[place];
    const { input: patch, issues } = readTelephones(resource, change.patch, { record, country });
    const error = describeTelephoneIssues(issues);
    if (error !== undefined) {
      rejected.push({ id, code: error.errorCode, detail: error.message, fields: [] });
      continue;
    }
    const key = JSON.stringify(patch);
    const { ids: others = [] } = groups.get(key) ?? {};
    groups.set(key, { change: { ...change, patch } as Update, ids: [...others, id] });
  }
  return { groups: [...groups.values()], rejected };
}

async function changeAlike(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, change, cause, limit }: Omit<Change, 'defaultCountry'>,
): Promise<MutationResult<{ id: string }>[]> {
  const selection = byIds(ids);
  if (change.type !== 'delete')
    return changeRecords(trx, resource, { selection, ...changeOf(resource, change, cause), limit });
  const deleted = await deleteRecords(trx, resource, { selection, cause, limit });
  return deleted.map((record) => ({ record, isChanged: true }));
}

async function changeSome(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, change, defaultCountry, ...own }: Change,
): Promise<Outcome> {
  const isAlike = change.type !== 'update' || !hasUnreadTelephones(resource, change.patch);
  const { groups, rejected: unreadable } = isAlike
    ? { groups: [{ change, ids }], rejected: [] }
    : await readForEach(trx, resource, { ids, change, defaultCountry, limit: own.limit });
  const results: MutationResult<{ id: string }>[] = [];
  for (const group of groups) results.push(...(await changeAlike(trx, resource, { ...group, ...own })));
  const found = new Set([...results.map(({ record }) => record.id), ...unreadable.map(({ id }) => id)]);
  const idsOf = (wanted: boolean) =>
    results.filter(({ isChanged }) => isChanged === wanted).map(({ record }) => record.id);
  const absent = ids.filter((id) => !found.has(id)).map((id) => notFoundError(resource, id));
  const rejected = [...unreadable, ...absent];
  return { changed: idsOf(true), unchanged: idsOf(false), rejected, partial: [] };
}

export function changeMany(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, ...change }: Change,
): Promise<Outcome> {
  const isDeletion = change.change.type === 'delete';
  const { limit } = change;
  const describe = (error: unknown, id: string) =>
    describeError(trx, resource, { error, id, isDeletion, limit });
  const changeOfSome = (some: readonly string[]) => changeSome(trx, resource, { ids: some, ...change });
  return changeEach(trx, ids, { change: changeOfSome, describe });
}

import {
  type BulkPreview,
  type FieldChange,
  type HistoryPage,
  type Job,
  type MergeChoice,
  RosterError,
} from '@roster/client';
import { isObject } from '@roster/fields/objects';
import { queryOptions } from '@tanstack/react-query';
import { queryClient, roster } from '../api/client.ts';
import type { ResourceName } from '../api/contract/contracts.ts';
import type {
  DirectoryRecord,
  DuplicatePage,
  DuplicatePair,
  LookAlike,
  MergedRecord,
  RecordPage,
  UnmergedRecord,
} from './record.ts';

interface CallOptions {
  signal?: AbortSignal;
  context?: { idempotencyKey: string };
}

interface Query<Input, Output> {
  query(input: Input, options?: CallOptions): Promise<Output>;
}
interface Mutation<Input, Output> {
  mutate(input: Input, options?: CallOptions): Promise<Output>;
}

interface OneVersion {
  id: string;
  ifVersion?: number | undefined;
}

interface Transition extends OneVersion {
  reason?: string | undefined;
  effectiveOn?: string | undefined;
}

interface RevertInput extends OneVersion {
  toVersion: number;
  fields?: string[];
  keepChangesAfter?: number;
  dryRun?: boolean;
  reason?: string | undefined;
}

interface MergeInput extends OneVersion {
  duplicateId: string;
  duplicateVersion: number;
  fields: Readonly<Record<string, MergeChoice>>;
  dryRun?: boolean;
  reason?: string | undefined;
}

/** A record after a revert, or as a dry run says it would be. */
export interface Reverted extends DirectoryRecord {
  changes: FieldChange[];
  notReverted: FieldChange[];
}

/**
 * The procedures that all resources have, without the types of their fields: forms and history follow the schemas at run time.
 */
export interface RecordCalls {
  get: Query<{ id: string; expand?: string }, DirectoryRecord>;
  list: Query<object, RecordPage>;
  all(input: object, options?: CallOptions): AsyncIterable<DirectoryRecord>;
  create: Mutation<Record<string, unknown>, DirectoryRecord>;
  update: Mutation<OneVersion & Record<string, unknown>, DirectoryRecord>;
  deactivate: Mutation<Transition, DirectoryRecord>;
  reactivate: Mutation<Transition, DirectoryRecord>;
  delete: Mutation<OneVersion, void>;
  restore: Mutation<OneVersion, DirectoryRecord>;
  history: Query<{ id: string; limit?: number; cursor?: string | undefined }, HistoryPage>;
  revert: Mutation<RevertInput, Reverted>;
  /** Starts the job that changes many records; with `dryRun` it says what that would do. */
  bulk: Mutation<object & { dryRun: true }, BulkPreview> & Mutation<object, Job>;
  duplicates: Query<object, DuplicatePage>;
  checkDuplicates: Mutation<Record<string, unknown>, { lookAlikes: LookAlike[] }>;
  dismissDuplicate: Mutation<{ id: string; reason?: string | undefined }, DuplicatePair>;
  reopenDuplicate: Mutation<{ id: string }, DuplicatePair>;
  merge: Mutation<MergeInput, MergedRecord>;
  unmerge: Mutation<{ id: string; dryRun?: boolean; reason?: string | undefined }, UnmergedRecord>;
}

export const callsOf = (resource: ResourceName): RecordCalls => roster[resource] as RecordCalls;

export function recordQuery(resource: ResourceName, id: string) {
  return queryOptions({
    queryKey: [resource, 'get', { id }] as const,
    queryFn: ({ signal }) => callsOf(resource).get.query({ id }, { signal }),
  });
}

/** Puts the response of a change into the cache, unless that has a newer one, and asks again for what follows from it. */
export function recordChanged(resource: ResourceName, record: DirectoryRecord): void {
  const { id, version } = record;
  queryClient.setQueryData(recordQuery(resource, id).queryKey, (cached) =>
    cached === undefined || cached.version <= version ? record : cached,
  );
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [, procedure, input] }) =>
      procedure !== 'get' && isObject(input) && input.id === id,
  });
}

/** Reads a record again if a change failed because it has another version by now, so that the next attempt is about what is shown. */
export function rereadIfChanged(resource: ResourceName, id: string, error: unknown): void {
  if (error instanceof RosterError && error.code === 'version_conflict')
    void queryClient.invalidateQueries({ queryKey: recordQuery(resource, id).queryKey });
}

/** Reads the lists of a resource again, because the page has added to it. */
export function listsChanged(resource: ResourceName): void {
  void queryClient.invalidateQueries({ queryKey: [resource, 'list'] });
}

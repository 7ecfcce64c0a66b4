import type { DuplicateReason, MergeConflict, NotReturned } from '@roster/client';

/** A record of any resource, as the service answers it. */
export interface DirectoryRecord {
  readonly id: string;
  readonly status: 'active' | 'inactive';
  readonly version: number;
  readonly [field: string]: unknown;
}

/** A part of a field that the search has found. */
export interface Highlight {
  field: string;
  start: number;
  end: number;
}

/** A page of a list. */
export interface RecordPage {
  items: DirectoryRecord[];
  nextCursor?: string | undefined;
  prevCursor?: string | undefined;
  total?: number | undefined;
  isSimilar?: boolean | undefined;
  highlights?: Highlight[][] | undefined;
}

/** The name that people know a record by. */
export function nameOf(record: Readonly<Record<string, unknown>>): string {
  return String(record.displayName ?? record.name ?? record.id);
}

/** Whether a field has nothing to show. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

/** The value at a path of a record: `address.city`. */
export function valueAt(record: object, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Two records that may be the same. */
export interface DuplicatePair {
  readonly id: string;
  readonly score: number;
  readonly reasons: readonly DuplicateReason[];
  readonly foundAt: string;
  /** In the order of their ids. */
  readonly records: readonly DirectoryRecord[];
  /** When it was decided that they are not the same; null if it was not. */
  readonly dismissedAt: string | null;
  readonly dismissalReason: string | null;
  readonly actorId: string | null;
  readonly actor: { type: 'key' | 'person'; id: string; name: string | null } | null;
}

/** A record that a new one looks like. */
export interface LookAlike extends Pick<DuplicatePair, 'score' | 'reasons'> {
  readonly record: DirectoryRecord;
}

/** A page of a list of pairs. */
export interface DuplicatePage {
  items: DuplicatePair[];
  nextCursor?: string | undefined;
  total?: number | undefined;
}

/** The survivor of a merge, or of one that was tried. */
export type MergedRecord = DirectoryRecord & {
  /** The numbers of records that refer to it and referred to the duplicate before, by resource. */
  readonly moved: Readonly<Record<string, number>>;
};

/** A record whose merge was undone, with what stays as it is because it was changed since. */
export type UnmergedRecord = DirectoryRecord & {
  readonly survivorId: string;
  readonly conflicts: readonly MergeConflict[];
  /** The numbers of what else stays where the merge has moved it. */
  readonly notReturned: NotReturned;
};

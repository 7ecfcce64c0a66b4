import type {
  AgentDuplicate,
  AgentLookAlike,
  Highlight,
  License,
  MergeConflict,
  NotReturned,
  OfficeCounts,
  PendingChange,
} from '@roster/client';
import { isObject } from '@roster/fields/objects';

export type AddressParts = Readonly<Record<string, string | null>>;

export interface DirectoryRecord {
  readonly id: string;
  readonly status: 'active' | 'inactive';
  readonly version: number;
  readonly scheduledChanges?: readonly PendingChange[];
  readonly licenses?: readonly License[];
  readonly address?: AddressParts | null;
  readonly place?: (AddressParts & { readonly officeId: string | null }) | null;
  readonly counts?: OfficeCounts;
  readonly [field: string]: unknown;
}

export const isLicense = (value: unknown): value is License =>
  isObject(value) && typeof value.number === 'string';

export const isPendingChange = (value: unknown): value is PendingChange =>
  isObject(value) && typeof value.effectiveAt === 'string';

export const isAddress = (value: unknown): value is AddressParts =>
  isObject(value) && Object.values(value).every((part) => part === null || typeof part === 'string');

export interface RecordPage {
  items: DirectoryRecord[];
  nextCursor?: string | undefined;
  prevCursor?: string | undefined;
  total?: number | undefined;
  isSimilar?: boolean | undefined;
  highlights?: Highlight[][] | undefined;
}

export function nameOf(record: Readonly<Record<string, unknown>>): string {
  return String(record.displayName ?? record.name ?? record.id);
}

export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

export function valueAt(record: object, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

export interface DuplicatePair extends Omit<AgentDuplicate, 'records'> {
  readonly records: readonly DirectoryRecord[];
}

export interface LookAlike extends Omit<AgentLookAlike, 'record'> {
  readonly record: DirectoryRecord;
}

export interface DuplicatePage {
  items: DuplicatePair[];
  nextCursor?: string | undefined;
  total?: number | undefined;
}

export type MergedRecord = DirectoryRecord & {
  /** The numbers of records that refer to it and referred to the duplicate before, by resource. */
  readonly moved: Readonly<Record<string, number>>;
};

export type UnmergedRecord = DirectoryRecord & {
  readonly survivorId: string;
  readonly conflicts: readonly MergeConflict[];
  readonly notReturned: NotReturned;
};

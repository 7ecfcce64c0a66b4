import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './column-types.ts';

/** The tables of records that may be the same. */

/** How far the records of one resource are compared with each other. */
export interface ComparisonTable {
  collection: string;
  /** The version of the rules by which they are; records that were compared by others are compared again. */
  rules: number;
  /** The position in the event log up to which changes are compared. */
  position: string;
  /** The id up to which the records are compared that were there before; null before the first one. */
  compared_to: string | null;
  /** Whether all records are that were there before. */
  is_complete: Generated<boolean>;
}

/** The keys of a record: two that have one in common may be the same. */
export interface ComparedRecordTable {
  collection: string;
  id: string;
  /** Hashes of the kind of the key and its value. */
  keys: string[];
}

/** Two records that may be the same. */
export interface DuplicatePairTable {
  id: string;
  collection: string;
  /** Less than `second_id`. */
  first_id: string;
  second_id: string;
  /** From 0 to 1. */
  score: ColumnType<string, number, number>;
  kinds: string[];
  reasons: ColumnType<unknown, string, string>;
  found_at: Timestamp;
  /** When it was decided that they are not the same; null if it is not. */
  dismissed_at: Timestamp | null;
  dismissed_by: string | null;
  dismissal_reason: string | null;
}

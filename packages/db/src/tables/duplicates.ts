import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './column-types.ts';

export interface DuplicateTables {
  comparison: {
    collection: string;
    /** The version of the rules. Other versions are compared again. */
    rules: number;
    /** Changes are compared up to here. */
    position: string;
    /** Existing records are compared up to here; null before the first. */
    compared_to: string | null;
    /** Whether all existing records are compared. */
    is_complete: Generated<boolean>;
  };
  /** Two records with a common key may be duplicates. */
  compared_record: {
    collection: string;
    id: string;
    /** Hashes of kind and value. */
    keys: string[];
  };
  duplicate_pair: {
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
    /** Null unless dismissed. */
    dismissed_at: Timestamp | null;
    dismissed_by: string | null;
    dismissal_reason: string | null;
  };
  record_merge: {
    id: string;
    collection: string;
    survivor_id: string;
    duplicate_id: string;
    /** If the survivor took it, its own previous one. The same holds for email and name. */
    source_name: string | null;
    source_key: string | null;
    email: string | null;
    name: string | null;
    merged_at: Timestamp;
    merged_by: string | null;
    moved: ColumnType<MovedReferences, string, never>;
    /** Null unless undone. */
    undone_at: Timestamp | null;
  };
}

/** IDs of references moved to the survivor. */
export interface MovedReferences {
  records: Record<string, string[]>;
  scheduledChanges: string[];
  /** Scheduled changes that lead to the record. */
  destinations: string[];
  views: MovedView[];
}

export interface MovedView {
  id: string;
  query: Record<string, string | string[]>;
  version: number;
}

import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './column-types.ts';

/** The tables of records that may be the same, or were. */
export interface DuplicateTables {
  /** The progress of comparing the records of one resource with each other. */
  comparison: {
    collection: string;
    /** The version of the rules by which they are; records that were compared by others are compared again. */
    rules: number;
    /** The position in the event log up to which changes are compared. */
    position: string;
    /** The id up to which the records are compared that were there before; null before the first one. */
    compared_to: string | null;
    /** Whether all records are that were there before. */
    is_complete: Generated<boolean>;
  };
  /** The keys of a record: two that have one in common may be the same. */
  compared_record: {
    collection: string;
    id: string;
    /** Hashes of the kind of the key and its value. */
    keys: string[];
  };
  /** Two records that may be the same. */
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
    /** When it was decided that they are not the same; null if it is not. */
    dismissed_at: Timestamp | null;
    dismissed_by: string | null;
    dismissal_reason: string | null;
  };
  /** A record that was merged into another one. */
  record_merge: {
    id: string;
    collection: string;
    survivor_id: string;
    duplicate_id: string;
    /**
     * Its source, by which imports find the survivor; null if it had none. If the survivor took it, the one that the survivor had before.
     * The same holds for the email address and the name.
     */
    source_name: string | null;
    source_key: string | null;
    email: string | null;
    name: string | null;
    merged_at: Timestamp;
    merged_by: string | null;
    moved: ColumnType<MovedReferences, string, never>;
    /** When the merge was undone; null if it was not. */
    undone_at: Timestamp | null;
  };
}

/** The ids of what referred to a merged record and refers to the survivor since. */
export interface MovedReferences {
  /** By resource. */
  records: Record<string, string[]>;
  scheduledChanges: string[];
  /** Scheduled changes that lead to it. */
  destinations: string[];
  /** Saved views as they were. */
  views: MovedView[];
}

/** A saved view before the id of a record in its query was replaced. */
export interface MovedView {
  id: string;
  query: Record<string, string | string[]>;
  version: number;
}

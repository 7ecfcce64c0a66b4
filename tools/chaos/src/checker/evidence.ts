import type { Attempt, Collection, Seen } from '../history.ts';

/** What an event has to do with a merge. */
interface MergePart {
  id: string;
  isUndo: boolean;
  /** Of the duplicate: the survivor. */
  into?: string | undefined;
}

/** One event of the log, as the feed showed it once everything was quiet. */
export interface LogEvent {
  position: number;
  collection: Collection;
  verb:
    | 'created'
    | 'updated'
    | 'deactivated'
    | 'reactivated'
    | 'transferred'
    | 'change_failed'
    | 'deleted'
    | 'restored'
    | 'merged'
    | 'purged';
  subject: string;
  version: number;
  requestId: string | null;
  /** By the clock of the database. */
  occurredAtMs: number;
  /** The scheduled change that was made, or failed, with it. */
  scheduledChange?: string | undefined;
  /** The job that made the change; null if none did. */
  bulkId: string | null;
  /** The merge that it is part of, or undoes. */
  merge?: MergePart | undefined;
  /** The records that the record in it refers to. */
  refersTo: readonly string[];
  status: string;
  /** Of the record in it. */
  digest: string;
  /** Of the record before, as the event has it: its record with what it says of before put over it. */
  before: string;
  /** Of the whole event. */
  whole: string;
}

/** A scheduled change, as the list shows it once everything was quiet. */
export interface Schedule {
  id: string;
  subject: string;
  effectiveAt: string;
  status: 'pending' | 'done' | 'failed' | 'cancelled';
}

/** A job as it is at the end. */
export interface JobSeen {
  id: string;
  status: string;
  total: number;
  changed: number;
  unchanged: number;
  rejected: number;
}

/** What a record's id was answered with at the end, and the record that it leads to if it was another one. */
export interface FoundAt {
  status: number;
  leadsTo?: string | undefined;
}

/** What one follower of the stream was brought, in the order it came. */
export interface Followed {
  name: string;
  /** The position it began after. */
  start: number;
  items: { position: number; whole: string }[];
  /** Rejections that say its place does not exist. */
  expiries: string[];
}

/** One message that a receiver of webhooks got. */
export interface Delivered {
  /** Its `webhook-id`. */
  id: string;
  position: number;
  subject: string;
  /** Of the event in it. */
  whole: string;
  isVerified: boolean;
  /** Whether it was answered 2xx. */
  isTaken: boolean;
}

/** The webhook of the run: what it was to be told. */
interface Told {
  /** The position it began after. */
  start: number;
  collection: Collection;
  messages: Delivered[];
}

/** When something was broken, and when it was whole again. */
export interface FaultTime {
  kind: string;
  startMs: number;
  endMs: number;
}

/** All that is known of a run. */
export interface Evidence {
  attempts: readonly Attempt[];
  log: readonly LogEvent[];
  /** How many events the table holds. */
  logRows: number;
  /** The positions of the log that events of keys and webhooks have, which the feed of records passes by. */
  adminPositions: ReadonlySet<number>;
  jobs: readonly JobSeen[];
  tables: Readonly<Record<Collection, readonly Seen[]>>;
  /** The records that were ever merged into another one, by their ids. */
  found: ReadonlyMap<string, FoundAt>;
  schedules: readonly Schedule[];
  followers: readonly Followed[];
  told: Told;
  faults: readonly FaultTime[];
  /** Processes that ended without a signal of ours. */
  ends: readonly string[];
  /** Faults that did not end well: what was broken did not come back. */
  stuck: readonly string[];
}

/** What a check found: how many things it looked at, and each that is not as promised, in words. */
export interface Verdict {
  promise: string;
  count: number;
  broken: string[];
}

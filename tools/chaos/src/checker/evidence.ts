import type { Job, RecordEventType, ScheduledChange } from '@roster/client';
import type { MadeFault } from '../faults/faults.ts';
import type { Attempt, Collection, Seen } from '../history.ts';

type VerbOf<Type> = Type extends `${string}.${infer Verb}` ? Verb : never;

/** One event of the log, as the feed showed it once everything was quiet. */
export interface LogEvent {
  position: number;
  collection: Collection;
  verb: VerbOf<RecordEventType>;
  subject: string;
  version: number;
  requestId: string | null;
  /** By the clock of the database. */
  occurredAtMs: number;
  /** The scheduled change that was made, or failed, with it. */
  scheduledChange?: string | undefined;
  /** The job that made the change. */
  bulkId?: string | undefined;
  /** The merge that it is part of, or undoes; of the duplicate with the survivor. */
  merge?: { id: string; isUndo: boolean; into?: string | undefined } | undefined;
  /** The records that the record in it refers to. */
  refersTo: readonly string[];
  /** Of the record in it. */
  digest: string;
  /** Of the record before, as the event has it: its record with what it says of before put over it. */
  before: string;
  /** Of the whole event. */
  whole: string;
}

/** Whether the record is not there after it. */
export const isEnd = ({ verb }: LogEvent) => verb === 'deleted' || verb === 'purged';

/** A scheduled change, as the list shows it once everything was quiet. */
export type Schedule = Pick<ScheduledChange, 'id' | 'subject' | 'effectiveAt' | 'status'>;

/** A job as it is at the end. */
export type JobSeen = Pick<Job, 'id' | 'status' | 'total' | 'changed' | 'unchanged' | 'rejected'>;

/** What a record's id was answered with at the end, and the record that it leads to if it was another one. */
export interface FoundAt {
  status: number;
  leadsTo?: string | undefined;
}

/** What one follower of the stream was brought from the start of the log, in the order it came. */
export interface Followed {
  name: string;
  items: Pick<LogEvent, 'position' | 'whole'>[];
  /** Rejections that say its place does not exist. */
  expiries: string[];
}

/** One message that a receiver of webhooks got, with the event in it. */
export interface Delivered extends Pick<LogEvent, 'position' | 'subject' | 'whole'> {
  /** Its `webhook-id`. */
  id: string;
  isVerified: boolean;
  /** Whether it was answered 2xx. */
  isTaken: boolean;
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
  /** What the webhook of the run, which is told every event of a resource, was told. */
  told: { collection: Collection; messages: readonly Delivered[] };
  faults: readonly MadeFault[];
  /** Processes that ended without a signal of ours, and what did not come to its end. */
  lasting: readonly string[];
}

/** What a check finds of a thing that it looks at: what is not as promised, in words. */
export type Finding = string | readonly string[] | undefined;

import type { IncomingHttpHeaders } from 'node:http';
import type { Scope } from '@roster/api';
import type {
  EntryPage,
  EntryQuery,
  FieldText,
  FieldTextQuery,
  RecordQuery,
  RecordQueryPage,
} from '@roster/api/query';

/** A record as the API shows it. */
export type Row = Record<string, unknown> & { id: string; version: number };

/** The service as the RESO Web API sees it: for one request, with the rights of its caller. All that fails, fails with a `RosterError`. */
export interface Service {
  /** Reads a page of the records that meet a condition. */
  findRecords(query: RecordQuery): Promise<RecordQueryPage>;
  /** Reads the different texts that records have in some fields. */
  findFieldTexts(query: FieldTextQuery): Promise<FieldText[]>;
  /** Reads a part of the event log. */
  findEvents(query: EntryQuery): Promise<EntryPage>;
  /** Waits until the events that are committed now can be read, but at most for a time in milliseconds. */
  waitForEvents(timeoutMs: number): Promise<void>;
  /** Calls a query that reads one record, such as `agents.get`. */
  query(procedure: string, input: object): Promise<Row>;
  /** Calls a mutation of one record, such as `agents.update`. */
  mutate(procedure: string, input: object, options?: MutationOptions): Promise<Mutated>;
  /** Counts more requests against the rate limit of the caller. */
  charge(cost: number): Promise<void>;
  /** Whether the caller has a scope, in some offices at least. */
  hasScope(scope: Scope): boolean;
  /** Whether a change must name the version that it changes. */
  isVersionRequired: boolean;
}

interface MutationOptions {
  /** The only version that is changed, instead of those that the headers of the request name. */
  version?: number | undefined;
}

export interface Mutated {
  /** The answer of the procedure, which is the record unless it deletes one. */
  record: Row;
  /** Whether it is the result of an earlier request with the same Idempotency-Key. */
  isReplayed: boolean;
}

/** A request, as the host has received it. */
export interface ResoRequest {
  method: string;
  /** The URL of the service root, without a slash at its end. */
  root: string;
  /** The parameters of the query, each with all its values. */
  query: Readonly<Record<string, readonly string[]>>;
  headers: IncomingHttpHeaders;
  /** The parsed JSON; undefined without a body. */
  body: unknown;
  /** Whether the client has left, so that nobody waits for more. */
  isAbandoned: () => boolean;
}

/** The response to a request that was not rejected. */
export interface ResoAnswer {
  /** 200 unless given. */
  status?: number;
  /** A text, or what becomes JSON; nothing is sent if it is undefined. */
  body?: unknown;
  /** The media type of the body; that of JSON unless given. */
  type?: string;
  headers?: Record<string, string>;
}

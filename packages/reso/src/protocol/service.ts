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

export type Row = Record<string, unknown> & { id: string; version: number };

/** The service for one request, with the caller's rights. Every method rejects with a `RosterError`. */
export interface Service {
  findRecords(query: RecordQuery): Promise<RecordQueryPage>;
  findFieldTexts(query: FieldTextQuery): Promise<FieldText[]>;
  findEvents(query: EntryQuery): Promise<EntryPage>;
  /** Waits until committed events can be read, at most so many milliseconds. */
  waitForEvents(timeoutMs: number): Promise<void>;
  /** Reads one record, such as `agents.get`. */
  query(procedure: string, input: object): Promise<Row>;
  /** Changes one record, such as `agents.update`. */
  mutate(procedure: string, input: object, options?: MutationOptions): Promise<Mutated>;
  charge(cost: number): Promise<void>;
  /** Whether the caller has a scope, at least in some offices. */
  hasScope(scope: Scope): boolean;
  /** Whether changes must include a version. */
  isVersionRequired: boolean;
}

interface MutationOptions {
  version?: number | undefined;
}

export interface Mutated {
  /** The procedure's result; the record, except for a deletion. */
  record: Row;
  isReplayed: boolean;
}

export interface ResoRequest {
  method: string;
  /** Without a trailing slash. */
  root: string;
  query: Readonly<Record<string, readonly string[]>>;
  headers: IncomingHttpHeaders;
  /** Parsed JSON; undefined without a body. */
  body: unknown;
  isAbandoned: () => boolean;
}

export interface ResoResponse {
  /** Defaults to 200. */
  status?: number;
  /** Text, or a value for JSON; nothing if undefined. */
  body?: unknown;
  /** Defaults to JSON. */
  type?: string;
  headers?: Record<string, string>;
}

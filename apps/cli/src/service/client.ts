import type { BulkPreview, RevertedAgent, RevertedOffice, RosterClient } from '@roster/client';
import type { Row } from '../contract/columns.ts';
import { camelCase } from '../contract/fields.ts';
import type { Input } from '../contract/options.ts';
import type { Connection } from './connection.ts';

/** A part of a field that matches a search, in UTF-16 code units, as the API returns it. */
export interface Highlight {
  field: string;
  start: number;
  end: number;
}

export interface Page {
  items: readonly Row[];
  nextCursor?: string | undefined;
  prevCursor?: string | undefined;
  total?: number | undefined;
  isSimilar?: boolean | undefined;
  highlights?: readonly (readonly Highlight[])[] | undefined;
  nextAfter?: string;
  hasMore?: boolean;
}

export interface CallOptions {
  signal: AbortSignal;
  context?: { idempotencyKey: string };
}

/** A procedure as a command calls it: the input is what the user typed, not validated. */
interface Procedure {
  query<Output = unknown>(input: Input, options: CallOptions): Promise<Output>;
  mutate<Output = unknown>(input: Input, options: CallOptions): Promise<Output>;
}

type Reading<Result> = { query(input: Input, options: CallOptions): Promise<Result> };

export type Procedures = {
  list: Reading<Page>;
  get: Reading<Row>;
  current: Reading<Row>;
  revert: { mutate(input: Input, options: CallOptions): Promise<RevertedOffice | RevertedAgent> };
  previewReactivate: { mutate(input: Input, options: CallOptions): Promise<BulkPreview> };
} & Readonly<Record<string, Procedure>>;

export async function loadClient({ url, key }: Connection): Promise<RosterClient> {
  // Imported here, because help and usage errors need no client.
  const { createRosterClient } = await import('@roster/client');
  return createRosterClient({ url, key });
}

export function proceduresIn(client: RosterClient, resource: string): Procedures {
  const resources: Readonly<Record<string, unknown>> = client;
  // No resource has every procedure; a command calls only those of operations that its resource lists.
  return resources[camelCase(resource)] as Procedures;
}

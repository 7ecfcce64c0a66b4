import type { ResourceName } from '@roster/client';
import type { Input, Row } from './rows.ts';

/** The result for one record of a call. */
interface Result {
  index: number;
  status: 'created' | 'updated' | 'unchanged' | 'rejected';
  id: string | null;
  /** The version that the record has now; null if it was rejected. */
  version: number | null;
  /** The key that led to the record that was there; absent from services that do not say it. */
  matchedBy?: 'source' | 'email' | 'emailAndName' | null;
  error?: {
    detail: string;
    errors: { pointer?: string; code: string; detail: string }[];
    /** Number of further errors that are not listed. */
    errorsOmitted?: number;
  };
}

/** The way in which the service finds the record of each row. */
type ImportMode = 'create' | 'upsert' | 'match';

interface CallOptions {
  signal: AbortSignal;
  context?: { idempotencyKey: string };
}

interface Procedure<Answer> {
  query(input: Input, options: CallOptions): Promise<Answer>;
  mutate(input: Input, options: CallOptions): Promise<Answer>;
}

/** The calls that imports and exports make. */
export interface ImportClient {
  importRecords: (
    records: Input[],
    options: { mode: ImportMode; dryRun: boolean; acceptRenames?: boolean; idempotencyKey?: string },
  ) => Promise<readonly Result[]>;
  list: (
    resource: ResourceName,
    input: Input,
  ) => Promise<{ items: readonly Row[]; nextCursor?: string; isSimilar?: boolean }>;
  /** Changes one record. */
  change: (operation: 'update' | 'deactivate' | 'reactivate', input: Input) => Promise<Row>;
}

/** More than the default of the client, so that a long import survives a restart of the service and a used-up quota. */
export const IMPORT_ATTEMPTS = 12;
export const IMPORT_TIMEOUT_MS = 60_000;

/** The calls of an import or export of one resource, by the typed client. */
export function importClientOf(client: object, name: ResourceName, signal: AbortSignal): ImportClient {
  const procedure = (resource: string, operation: string): Procedure<unknown> => {
    const procedures = (client as Record<string, Record<string, Procedure<unknown>> | undefined>)[resource];
    const found = procedures?.[operation];
    if (found === undefined) throw new Error(`There is no procedure ${resource}.${operation}`);
    return found;
  };
  return {
    importRecords: async (records, { mode, dryRun, acceptRenames = false, idempotencyKey }) => {
      const input = { mode, isAtomic: false, dryRun, ...(acceptRenames && { acceptRenames }), records };
      const context = idempotencyKey === undefined ? {} : { context: { idempotencyKey } };
      const answer = await procedure('imports', name).mutate(input, { signal, ...context });
      return (answer as { results: Result[] }).results;
    },
    list: async (resource, input) =>
      (await procedure(resource, 'list').query(input, { signal })) as Awaited<
        ReturnType<ImportClient['list']>
      >,
    change: async (operation, input) => (await procedure(name, operation).mutate(input, { signal })) as Row,
  };
}

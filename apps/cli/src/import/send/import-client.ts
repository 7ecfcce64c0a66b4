import type { Row } from '../../columns.ts';
import type { Connection } from '../../context/connection.ts';
import type { Input } from '../../input/fields.ts';
import type { Importable } from '../importable.ts';

/** The result for one record of a call. */
interface Result {
  index: number;
  status: 'created' | 'updated' | 'unchanged' | 'refused';
  id: string | null;
  error?: {
    detail: string;
    errors: { pointer?: string; code: string; detail: string }[];
    /** Number of further errors that are not listed. */
    errorsOmitted?: number;
  };
}

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
    options: { mode: 'upsert' | 'match'; dryRun: boolean; idempotencyKey?: string },
  ) => Promise<readonly Result[]>;
  list: (
    resource: 'offices' | 'agents',
    input: Input,
  ) => Promise<{ items: readonly Row[]; nextCursor?: string; isSimilar?: boolean }>;
  /** Changes one record. */
  change: (operation: 'update' | 'deactivate' | 'reactivate', input: Input) => Promise<Row>;
}

/** More than the default, so that a long import survives a restart of the service and a used-up quota. */
const ATTEMPTS = 12;
const TIMEOUT_MS = 60_000;

/** Creates the client of an import or export of one resource. */
export async function createImportClient(
  connection: Connection,
  { name }: Pick<Importable, 'name'>,
  signal: AbortSignal,
): Promise<ImportClient> {
  const { createRosterClient } = await import('@roster/client');
  const { url, key } = connection;
  const client: Readonly<Record<string, unknown>> = createRosterClient({
    url,
    key,
    attempts: ATTEMPTS,
    timeoutMs: TIMEOUT_MS,
  });
  const procedure = (resource: string, operation: string): Procedure<unknown> => {
    const found = (client[resource] as Record<string, Procedure<unknown>> | undefined)?.[operation];
    if (found === undefined) throw new Error(`There is no procedure ${resource}.${operation}`);
    return found;
  };
  return {
    importRecords: async (records, { mode, dryRun, idempotencyKey }) => {
      const input = { mode, isAtomic: false, dryRun, records };
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

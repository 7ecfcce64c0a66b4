import type { Connection } from '../../context/connection.ts';
import type { Input } from '../../input/fields.ts';
import type { Row } from '../../resources.ts';
import type { Importable } from '../importable.ts';

/** What became of one record of a call. */
interface Result {
  index: number;
  status: 'created' | 'updated' | 'unchanged' | 'refused';
  id: string | null;
  error?: {
    detail: string;
    errors: { pointer?: string; code: string; detail: string }[];
    /** How many faults there are beside those. */
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

/** The calls an import and an export make. */
export interface Service {
  importRecords: (
    records: Input[],
    options: { mode: 'upsert' | 'match'; dryRun: boolean; idempotencyKey?: string },
  ) => Promise<readonly Result[]>;
  list: (noun: 'offices' | 'agents', input: Input) => Promise<{ items: readonly Row[]; nextCursor?: string }>;
  /** One change of one record. */
  change: (verb: 'update' | 'deactivate' | 'reactivate', input: Input) => Promise<Row>;
}

/** A long import outlives what a single command would not: a service that starts anew, a minute's quota used up. */
const ATTEMPTS = 12;
const TIMEOUT_MS = 60_000;

/** The service behind a connection, for the records of one noun. */
export async function serviceOf(
  connection: Connection,
  { name }: Pick<Importable, 'name'>,
  signal: AbortSignal,
): Promise<Service> {
  const { createRosterClient } = await import('@roster/client');
  const { url, key } = connection;
  const client = createRosterClient({
    url,
    key,
    attempts: ATTEMPTS,
    timeoutMs: TIMEOUT_MS,
  }) as unknown as Record<string, Record<string, Procedure<unknown>>>;
  const procedure = (noun: string, verb: string): Procedure<unknown> => {
    const found = client[noun]?.[verb];
    if (found === undefined) throw new Error(`There is no procedure ${noun}.${verb}`);
    return found;
  };
  return {
    importRecords: async (records, { mode, dryRun, idempotencyKey }) => {
      const input = { mode, isAtomic: false, dryRun, records };
      const context = idempotencyKey === undefined ? {} : { context: { idempotencyKey } };
      const answer = await procedure('imports', name).mutate(input, { signal, ...context });
      return (answer as { results: Result[] }).results;
    },
    list: async (noun, input) =>
      (await procedure(noun, 'list').query(input, { signal })) as Awaited<ReturnType<Service['list']>>,
    change: async (verb, input) => (await procedure(name, verb).mutate(input, { signal })) as Row,
  };
}

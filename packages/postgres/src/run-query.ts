import type { CompiledQuery, QueryResult } from 'kysely';
import type { ClientBase, QueryConfig } from 'pg';
import { knownOf } from './compiled-query.ts';
import { isStalePlan, toStatementError } from './errors.ts';

/** The protocol counts parameters in 16 bits; one more would corrupt every message that follows. */
const PARAMETERS_MAX = 65_535;

/** Leaves every value as the text that PostgreSQL sends. */
const asText: QueryConfig['types'] = { getTypeParser: () => (text: unknown) => text };

/** The commands whose result counts the rows that they have affected. */
const changing: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** The queries in flight on a connection, each as the function that fails it. */
export type InFlight = Set<(why: Error) => void>;

/** Fails what is in flight without waiting for the connection. */
export function failAll(inFlight: InFlight, why: Error): void {
  for (const fail of inFlight) fail(why);
  inFlight.clear();
}

/**
 * Runs a query on a client. For COMMIT and ROLLBACK the only row has the command that took effect, as Kysely's driver expects.
 * @param isPrepared whether it is prepared if `compileOnce` has compiled it
 * @throws ConnectionLostError; the error of PostgreSQL; RangeError for more than 65,535 parameters
 */
export function runQuery<Row>(
  { client, inFlight }: { client: Pick<ClientBase, 'query'>; inFlight: InFlight },
  query: CompiledQuery,
  isPrepared: boolean,
): Promise<QueryResult<Row>> {
  const { sql: text, parameters } = query;
  const { name, isText } = knownOf(query) ?? {};
  return new Promise((resolve, reject) => {
    if (parameters.length > PARAMETERS_MAX)
      throw new RangeError(
        `A statement takes at most ${PARAMETERS_MAX} parameters, not ${parameters.length}.`,
      );
    const config: QueryConfig = { text, values: [...parameters] };
    if (isPrepared && name !== undefined) config.name = name;
    if (isText) config.types = asText;
    inFlight.add(reject);
    void client.query(config, (error: Error | null, result) => {
      inFlight.delete(reject);
      if (error !== null && error !== undefined) return reject(toStatementError(error));
      // Several statements in one text have several results.
      const last = Array.isArray(result) ? result.at(-1) : result;
      const { command, rowCount, rows } = last;
      if (command === 'COMMIT' || command === 'ROLLBACK') return resolve({ rows: [{ command }] as Row[] });
      if (changing.has(command)) return resolve({ rows, numAffectedRows: BigInt(rowCount ?? 0) });
      return resolve({ rows: rows ?? [] });
    });
  });
}

/** Runs a query outside a transaction: if its prepared statement is stale, again without one, and from then on with a new name. */
export async function runWithFreshPlan<Row>(
  query: CompiledQuery,
  run: (isPrepared: boolean) => Promise<QueryResult<Row>>,
): Promise<QueryResult<Row>> {
  try {
    return await run(true);
  } catch (error) {
    const known = knownOf(query);
    if (!isStalePlan(error) || known?.name === undefined) throw error;
    known.name = `${known.name}_`.slice(0, NAME_LENGTH_MAX);
    return run(false);
  }
}

/** PostgreSQL cuts longer names. */
const NAME_LENGTH_MAX = 63;

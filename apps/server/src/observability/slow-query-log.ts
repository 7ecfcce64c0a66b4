import { type Database, type EndedStatement, statementName } from '@roster/db';
import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { type Account, accounts, Tally } from './request-context.ts';

interface SlowQueriesOptions {
  log: FastifyBaseLogger;
  /** A statement that takes as long is slow, in milliseconds. */
  thresholdMs: number;
  /** The clock, in milliseconds; tests pass their own. */
  nowMs?: () => number;
}

export interface SlowQueries {
  /** To be called with every statement that ended. */
  note(statement: EndedStatement, account: Account | undefined): void;
  /** Where plans are asked for: never on connections that requests wait for. Before that there are none. */
  explainOn(db: Kysely<Database>): void;
}

const TEXT_EVERY_MS = 60_000;
const TEXTS_MAX = 500;
const EXPLAIN_TIMEOUT_MS = 1_000;
/** Plans that wait to be asked for; beyond it a statement is told of without. */
const WAITING_MAX = 20;
const PLAN_NAME = 'roster_slow_query';

/**
 * Says in the log which statements are slow: each time a line with the statement's name, which is made of its text; and
 * at most once a minute for each statement also the text, without its values, and its plan. Never more than one plan is
 * asked for at a time, so that a database which is slow has no more to do on our account than one look at a statement.
 */
export function watchSlowQueries({ log, thresholdMs, nowMs }: SlowQueriesOptions): SlowQueries {
  const now = nowMs ?? (() => performance.now());
  const toldAt = new Map<string, number>();
  let db: Kysely<Database> | undefined;
  /** On whose account plans are asked for: nobody's request, and nothing to be told of in its turn. */
  const own = new Tally('plan of a slow statement');
  let waiting = 0;
  let explaining: Promise<unknown> = Promise.resolve();

  function isToldAnew(text: string): boolean {
    const before = toldAt.get(text);
    if (before !== undefined && now() - before < TEXT_EVERY_MS) return false;
    toldAt.delete(text);
    toldAt.set(text, now());
    const [oldest] = toldAt.keys();
    if (toldAt.size > TEXTS_MAX && oldest !== undefined) toldAt.delete(oldest);
    return true;
  }

  async function tell(line: object, text: string): Promise<void> {
    if (db === undefined || waiting >= WAITING_MAX || !isExplainable(text))
      return log.warn(line, 'slow statement');
    const background = db;
    waiting += 1;
    const plan = explaining.then(() => accounts.run(own, () => planOf(background, text)));
    explaining = plan.catch(() => undefined);
    try {
      log.warn({ ...line, plan: await plan }, 'slow statement');
    } catch (error) {
      log.warn({ ...line, err: error }, 'slow statement, whose plan could not be read');
    } finally {
      waiting -= 1;
    }
  }

  return {
    note({ sql: text, durationMs, error }, account) {
      if (durationMs < thresholdMs || account?.tally === own) return;
      const line = {
        reqId: account?.tally.requestId,
        statement: statementName(text),
        durationMs: Math.round(durationMs),
        code: typeof error?.code === 'string' ? error.code : undefined,
      };
      if (!isToldAnew(text)) return log.warn(line, 'slow statement');
      void tell({ ...line, sql: text }, text);
    },
    explainOn(background) {
      db = background;
    },
  };
}

/** One statement that has a plan. Text with a semicolon might be several, of which the second would be carried out. */
function isExplainable(text: string): boolean {
  return /^\s*(with|select|insert|update|delete|merge|values)\b/i.test(text) && !text.includes(';');
}

/**
 * The plan PostgreSQL has for a statement whatever its values are. It is prepared, which finds the types of its
 * parameters as the driver's own preparing does, and explained with nulls in their places; the generic plan does not
 * look at them. `explain (generic_plan)` would be one statement, but PostgreSQL 15 does not have it. Nothing is carried
 * out: the transaction only reads, and explains.
 */
async function planOf(db: Kysely<Database>, text: string): Promise<unknown> {
  return db.connection().execute(async (connection) => {
    const run = <Row>(statement: string) => sql.raw<Row>(statement).execute(connection);
    try {
      await run(`prepare ${PLAN_NAME} as ${text}`);
      return await connection
        .transaction()
        .setAccessMode('read only')
        .execute(async (trx) => {
          const explain = `explain (format json) execute ${PLAN_NAME}${nullsFor(text)}`;
          await sql.raw(`set local statement_timeout = ${EXPLAIN_TIMEOUT_MS}`).execute(trx);
          await sql.raw('set local plan_cache_mode = force_generic_plan').execute(trx);
          const { rows } = await sql.raw<{ 'QUERY PLAN': unknown }>(explain).execute(trx);
          return rows[0]?.['QUERY PLAN'];
        });
    } finally {
      await run(`deallocate ${PLAN_NAME}`).catch(() => undefined);
    }
  });
}

function nullsFor(text: string): string {
  const count = Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, digits]) => Number(digits)));
  return count === 0 ? '' : `(${Array.from({ length: count }, () => 'null').join(', ')})`;
}

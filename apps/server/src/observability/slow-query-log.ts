import { type Database, type EndedStatement, statementName } from '@roster/db';
import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { type RequestContext, RequestStats, requestContext } from './request-context.ts';

interface SlowQueryLogOptions {
  log: FastifyBaseLogger;
  /** The least duration of a slow statement, in milliseconds. */
  thresholdMs: number;
  /** The clock, in milliseconds; the monotonic clock unless given. */
  nowMs?: () => number;
}

export interface SlowQueryLog {
  /** Logs a statement that has ended, if it was slow. */
  record(statement: EndedStatement, context: RequestContext | undefined): void;
  /** Sets the connections over which plans are read, which must be other than those of requests; before, no plans are logged. */
  explainOn(db: Kysely<Database>): void;
}

const TEXT_EVERY_MS = 60_000;
const TEXTS_MAX = 500;
const EXPLAIN_TIMEOUT_MS = 1_000;
/** Plans that may wait to be read; beyond it a statement is logged without its plan. */
const PLANS_WAITING_MAX = 20;
const PLAN_NAME = 'roster_slow_query';

/**
 * Creates the slow query log. Each slow statement is a line with its name, which is a hash of its text; at most once a minute for
 * each statement the line also has the text, without values, and the generic plan. Plans are read one at a time, so that a slow
 * database gets at most one statement more.
 */
export function createSlowQueryLog({ log, thresholdMs, nowMs }: SlowQueryLogOptions): SlowQueryLog {
  const now = nowMs ?? (() => performance.now());
  const loggedAt = new Map<string, number>();
  let db: Kysely<Database> | undefined;
  /** The context in which plans are read, so that reading one is never logged as slow itself. */
  const own = new RequestStats('plan of a slow statement');
  let waiting = 0;
  let explaining: Promise<unknown> = Promise.resolve();

  function isTextDue(text: string): boolean {
    const before = loggedAt.get(text);
    if (before !== undefined && now() - before < TEXT_EVERY_MS) return false;
    loggedAt.delete(text);
    loggedAt.set(text, now());
    const [oldest] = loggedAt.keys();
    if (loggedAt.size > TEXTS_MAX && oldest !== undefined) loggedAt.delete(oldest);
    return true;
  }

  async function logWithPlan(line: object, text: string): Promise<void> {
    if (db === undefined || waiting >= PLANS_WAITING_MAX || !isExplainable(text))
      return log.warn(line, 'slow statement');
    const background = db;
    waiting += 1;
    const plan = explaining.then(() => requestContext.run(own, () => explainStatement(background, text)));
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
    record({ sql: text, durationMs, error }, context) {
      if (durationMs < thresholdMs || context?.stats === own) return;
      const line = {
        reqId: context?.stats.requestId,
        statement: statementName(text),
        durationMs: Math.round(durationMs),
        code: typeof error?.code === 'string' ? error.code : undefined,
      };
      if (!isTextDue(text)) return log.warn(line, 'slow statement');
      void logWithPlan({ ...line, sql: text }, text);
    },
    explainOn(background) {
      db = background;
    },
  };
}

/** Whether the text is one statement that has a plan. With a semicolon it might be two, of which the second would be executed. */
function isExplainable(text: string): boolean {
  return /^\s*(with|select|insert|update|delete|merge|values)\b/i.test(text) && !text.includes(';');
}

/**
 * Reads the generic plan of a statement. The statement is prepared, which infers the types of its parameters, and explained with
 * nulls as parameters, which a generic plan ignores. (PostgreSQL 15 has no `explain (generic_plan)`.) Nothing is executed: the
 * transaction is read-only and only explains.
 */
async function explainStatement(db: Kysely<Database>, text: string): Promise<unknown> {
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

import { type EndedStatement, statementName } from '@roster/db';
import type { FastifyBaseLogger } from 'fastify';
import type { RequestStats } from './request-context.ts';

interface SlowQueryLogOptions {
  log: FastifyBaseLogger;
  thresholdMs: number;
  /** On a terminal one line a minute has the number of slow statements. */
  isSummary: boolean;
}

export interface SlowQueryLog extends Disposable {
  record(statement: EndedStatement, request: RequestStats | undefined): void;
}

const MINUTE_MS = 60_000;
const TEXTS_MAX = 500;

export function createSlowQueryLog({ log, thresholdMs, isSummary }: SlowQueryLogOptions): SlowQueryLog {
  const logged = isSummary ? summaries(log) : lines(log);
  return {
    record(statement, request) {
      if (statement.durationMs >= thresholdMs) logged.add(statement, request);
    },
    [Symbol.dispose]: logged.end,
  };
}

interface SlowStatements {
  add(statement: EndedStatement, request: RequestStats | undefined): void;
  end(): void;
}

/** Names the statement by a hash; at most once a minute the line also has its text, without values. */
function lines(log: FastifyBaseLogger): SlowStatements {
  const loggedAt = new Map<string, number>();

  function isTextDue(text: string): boolean {
    const now = performance.now();
    const before = loggedAt.get(text);
    if (before !== undefined && now - before < MINUTE_MS) return false;
    loggedAt.delete(text);
    loggedAt.set(text, now);
    const [oldest] = loggedAt.keys();
    if (loggedAt.size > TEXTS_MAX && oldest !== undefined) loggedAt.delete(oldest);
    return true;
  }

  return {
    add({ sql: text, durationMs, error }, request) {
      const line = {
        reqId: request?.requestId,
        statement: statementName(text),
        durationMs: Math.round(durationMs),
        code: typeof error?.code === 'string' ? error.code : undefined,
      };
      log.warn(isTextDue(text) ? { ...line, sql: text } : line, 'slow statement');
    },
    end: () => undefined,
  };
}

function summaries(log: FastifyBaseLogger): SlowStatements {
  let count = 0;
  let slowestMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function tell(): void {
    clearTimeout(timer);
    if (count === 0) return;
    const statements = count === 1 ? '1 slow statement' : `${count} slow statements, the slowest`;
    log.warn(
      `${statements} took ${(slowestMs / 1_000).toFixed(1)} s. Set ROSTER_LOG_FORMAT=json to log each with its text.`,
    );
    count = 0;
    slowestMs = 0;
  }

  return {
    add({ durationMs }) {
      if (count === 0) timer = setTimeout(tell, MINUTE_MS).unref();
      count += 1;
      slowestMs = Math.max(slowestMs, durationMs);
    },
    end: tell,
  };
}

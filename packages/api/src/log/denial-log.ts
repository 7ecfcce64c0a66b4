import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { newId } from '../engine/new-id.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { writeAdminEvent } from './admin-events.ts';

interface Denial {
  caller?: Pick<Caller, 'type' | 'id' | 'name'> | undefined;
  procedure?: string | undefined;
  errorCode: ErrorCode;
  detail: string;
  requestId: string;
}

interface Repeated {
  first: Denial | undefined;
  count: number;
  /** By `performance.now()`. */
  nextAt: number;
}

export interface DenialLog {
  /** Never waits or throws. */
  record(denial: Denial): void;
  close(): Promise<void>;
}

interface DenialLogOptions {
  db: Kysely<Database>;
  now: () => Date;
  /** The event is lost. */
  onFailure: (error: unknown) => void;
  /** Minimum time between two events of a caller and procedure, in milliseconds. Defaults to a minute. */
  intervalMs?: number;
}

const INTERVAL_MS = 60_000;
/** Callers and procedures tracked at a time. Others have no event; the metrics count them. */
const REPEATED_MAX = 500;

/**
 * Logs denied rights: the first of each caller and procedure at once, then at most one event a minute, with
 * the number since. An event briefly locks the log, so a flood of rejected requests must not become one of
 * events.
 */
export function createDenialLog({
  db,
  now,
  onFailure,
  intervalMs = INTERVAL_MS,
}: DenialLogOptions): DenialLog {
  const repeated = new Map<string, Repeated>();
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function write({ caller, procedure, errorCode, detail, requestId }: Denial, count: number) {
    const id = newId(now());
    const after = {
      id,
      caller: caller === undefined ? null : { type: caller.type, id: caller.id, name: caller.name },
      procedure: procedure ?? null,
      errorCode,
      detail,
      count,
    };
    const cause = { now: now(), actorId: caller?.id ?? null, requestId };
    await db.transaction().execute((trx) => writeAdminEvent(trx, { type: 'access.denied', after, cause }));
  }

  async function writeDue(): Promise<void> {
    for (const [key, { first, count, nextAt }] of repeated) {
      if (isClosed) return;
      if (nextAt > performance.now()) continue;
      repeated.delete(key);
      if (first === undefined) continue;
      repeated.set(key, { first: undefined, count: 0, nextAt: performance.now() + intervalMs });
      await write(first, count).catch(onFailure);
    }
  }

  function start(): void {
    writing ??= writeDue().finally(() => {
      writing = undefined;
      schedule();
    });
  }

  function schedule(): void {
    clearTimeout(timer);
    if (isClosed || repeated.size === 0) return;
    const next = Math.min(...[...repeated.values()].map(({ nextAt }) => nextAt));
    timer = setTimeout(start, Math.max(1, next - performance.now())).unref();
  }

  return {
    record(denial) {
      if (isClosed) return;
      const key = [denial.caller?.id, denial.procedure, denial.errorCode].join(' ');
      const known = repeated.get(key);
      if (known !== undefined) {
        known.first ??= denial;
        known.count += 1;
        return;
      }
      if (repeated.size >= REPEATED_MAX) return;
      repeated.set(key, { first: denial, count: 1, nextAt: 0 });
      start();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await writing;
    },
  };
}

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LocalPostgresInUse } from './errors.ts';

const SQLITE_BUSY = 5;

/** Keeps databases from the garbage collector, which would close them and release the lock. */
const held = new Set<DatabaseSync>();

const lockFile = (home: string) => join(home, 'lock', 'database');
const ownerFile = (home: string) => join(home, 'lock', 'owner');

/**
 * Locks a home directory for the one process that starts, uses and stops its server. Uses SQLite's lock on an
 * empty file: in Node.js only this one is released by the kernel however the process ends, and works between
 * containers. A file beside it has the owner.
 *
 * @returns releases the lock; idempotent
 * @throws LocalPostgresInUse if another process has it
 */
export function acquireLock(home: string): () => void {
  mkdirSync(join(home, 'lock'), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(lockFile(home));
  if (isLocked(database, 'pragma journal_mode = memory; begin exclusive')) throw inUse(home);
  writeFileSync(ownerFile(home), `process ${process.pid} on ${hostname()}`);
  held.add(database);
  return () => {
    if (!held.delete(database)) return;
    rmSync(ownerFile(home), { force: true });
    database.close();
  };
}

/** Undefined if the lock is free. Changes nothing. */
export function findHolder(home: string): LocalPostgresInUse | undefined {
  try {
    const database = new DatabaseSync(lockFile(home), { readOnly: true });
    if (isLocked(database, 'select 1 from sqlite_schema')) return inUse(home);
    database.close();
  } catch {
    // There is no lock yet, or it is another user's.
  }
  return undefined;
}

/** If another connection has the lock, closes this one and returns true. */
function isLocked(database: DatabaseSync, statement: string): boolean {
  try {
    database.exec(statement);
    return false;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return true;
    throw error;
  }
}

function inUse(home: string): LocalPostgresInUse {
  try {
    return new LocalPostgresInUse(home, readFileSync(ownerFile(home), 'utf8'));
  } catch {
    return new LocalPostgresInUse(home, '');
  }
}

import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConnectionLostError, OverloadedError } from '../errors.ts';
import { compileOnce } from '../kysely/compiled-query.ts';
import {
  connected,
  createTestDatabase,
  killRunning,
  read,
  running,
  type TestDatabase,
} from '../testing/driver-helpers.ts';
import type { EndedStatement } from '../types.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create table entry (name text primary key, of text not null)`.execute(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

interface Entry {
  name: string;
  of: string;
}

const enter = compileOnce<Entry, Entry>(
  (param) => sql`insert into entry values (${param('name')}, ${param('of')}) returning name, of`,
  { allowsGroupCommit: true },
);
const touch = compileOnce<{ name: string }, object>(
  (param) => sql`update entry set of = of where name = ${param('name')} returning name`,
  { allowsGroupCommit: true },
);
const linger = compileOnce<{ seconds: number }, object>(
  (param) => sql`select pg_sleep(${param('seconds')}), 'lingering' as marker`,
  { isReadOnly: false, allowsGroupCommit: true },
);

/** Entries with names that belong to one test. */
const named = (of: string, count: number): Entry[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${of} ${index}`, of }));

async function committed(of: string): Promise<{ names: string[]; transactions: number }> {
  const { rows } = await sql<{ name: string; xmin: string }>`
    select name, xmin::text from entry where of = ${of} order by length(name), name`.execute(database.db);
  return { names: rows.map(({ name }) => name), transactions: new Set(rows.map(({ xmin }) => xmin)).size };
}

const all = (db: Kysely<unknown>, entries: Entry[]) =>
  Promise.allSettled(entries.map((entry) => enter.execute(db, entry)));

describe('group commit', () => {
  it('uses few transactions for concurrent statements, and returns to each its own rows', async () => {
    await using db = connected(database, { pool: { max: 2 } });
    const entries = named('many', 40);
    const answers = await Promise.all(entries.map((entry) => enter.execute(db, entry)));
    expect(answers).toEqual(entries.map((entry) => [entry]));
    const { names, transactions } = await committed('many');
    expect(names).toEqual(entries.map(({ name }) => name));
    expect(transactions).toBeLessThan(20);
  });

  it('runs each statement in its own transaction while fewer than three connections write', async () => {
    await using db = connected(database, { pool: { max: 4 } });
    await all(db, named('few', 3));
    expect(await committed('few')).toMatchObject({ transactions: 3 });
    await all(db, named('more', 4));
    expect(await committed('more')).toMatchObject({ transactions: 3 });
  });

  it('uses further connections if those in use wait for locks', async () => {
    await using db = connected(database, { pool: { max: 5 } });
    await all(db, named('held', 1));
    const locking = await database.db.startTransaction().execute();
    await sql`select from entry where name = 'held 0' for update`.execute(locking);
    let touched = 0;
    const waiting = [1, 2, 3].map(() => touch.execute(db, { name: 'held 0' }).then(() => (touched += 1)));
    await Promise.all(named('passing', 10).map((entry) => enter.execute(db, entry)));
    expect(touched).toBe(0);
    await locking.commit().execute();
    await Promise.all(waiting);
  });

  it('lets each statement fail alone: all others are committed once, and the failed ones get their own error', async () => {
    await using db = connected(database, { pool: { max: 1 } });
    const entries = named('some', 20);
    const twice = [...entries, entries[3] as Entry, entries[17] as Entry];
    const answers = await all(db, twice);
    const failed = answers.filter((answer) => answer.status === 'rejected');
    expect(failed.map(({ reason }) => reason.constraint)).toEqual(['entry_pkey', 'entry_pkey']);
    expect((await committed('some')).names).toEqual(entries.map(({ name }) => name));
  });

  it('returns to large batches after failures', async () => {
    await using db = connected(database, { pool: { max: 1 } });
    await enter.execute(db, { name: 'again', of: 'again' });
    const again = Array.from({ length: 20 }, () => ({ name: 'again', of: 'again' }));
    expect((await all(db, again)).every(({ status }) => status === 'rejected')).toBe(true);
    await all(db, named('recovered', 60));
    expect((await committed('recovered')).transactions).toBeLessThan(30);
  });

  it('does not let the others wait for a statement that waits for a lock', async () => {
    await using db = connected(database, { pool: { max: 2 } });
    await all(db, named('locked', 1));
    const locking = await database.db.startTransaction().execute();
    await sql`select from entry where name = 'locked 0' for update`.execute(locking);
    const order: string[] = [];
    const waiting = touch.execute(db, { name: 'locked 0' }).then(() => order.push('the one'));
    await Promise.all(named('beside', 10).map((entry) => enter.execute(db, entry)));
    order.push('the others');
    await locking.commit().execute();
    await waiting;
    expect(order).toEqual(['the others', 'the one']);
  });

  it('does not apply inside a transaction', async () => {
    const failing = database.db.transaction().execute(async (trx) => {
      await enter.execute(trx, { name: 'undone', of: 'undone' });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect((await committed('undone')).names).toEqual([]);
  });

  it('rejects all statements of a broken connection and repeats none, because their outcome is unknown', async () => {
    await using db = connected(database, { pool: { max: 1 } });
    const first = await db.startTransaction().execute();
    const answers = all(db, named('broken', 3));
    const lingering = linger.execute(db, { seconds: 20 }).catch((error: unknown) => error);
    await first.commit().execute();
    await expect.poll(() => running(database, 'lingering')).toBe(1);
    await killRunning(database, 'lingering');
    expect(await lingering).toBeInstanceOf(ConnectionLostError);
    for (const answer of await answers)
      expect(answer).toMatchObject({ reason: { name: 'ConnectionLostError' } });
    expect((await committed('broken')).names).toEqual([]);
  });

  it('rejects statements at once if too many wait, and after the time limit if no connection becomes free', async () => {
    await using db = connected(database, { pool: { max: 1, waitingMax: 2 }, timeouts: { connectMs: 150 } });
    const trx = await db.startTransaction().execute();
    const answers = await all(db, named('rejected', 4));
    for (const answer of answers) expect(answer).toMatchObject({ reason: { name: 'OverloadedError' } });
    await trx.commit().execute();
    expect(await enter.execute(db, { name: 'after', of: 'rejected' })).toHaveLength(1);
    expect((await committed('rejected')).names).toEqual(['after']);
    expect(new OverloadedError().code).toBe('53300');
  });

  it('reports each statement to onStatement', async () => {
    const reported: EndedStatement[] = [];
    await using db = connected(database, {
      pool: { max: 1 },
      onStatement: (statement) => reported.push(statement),
    });
    const entries = named('reported', 6);
    await all(db, [...entries, entries[0] as Entry]);
    expect(reported.filter(({ sql }) => sql.startsWith('insert into entry'))).toHaveLength(7);
    expect(reported.filter(({ error }) => error !== undefined)).toHaveLength(1);
  });

  it('finishes what was accepted when the database is closed, and rejects what follows', async () => {
    const db = connected(database, { pool: { max: 1 } });
    const entries = named('closed', 12);
    const answers = all(db, entries);
    await db.destroy();
    expect((await answers).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect((await committed('closed')).names).toEqual(entries.map(({ name }) => name));
    await expect(enter.execute(db, { name: 'late', of: 'closed' })).rejects.toThrow('destroyed');
  });

  it('parses statements again after the table has changed', async () => {
    await using db = connected(database, { pool: { max: 1 } });
    await all(db, named('before', 9));
    await sql`alter table entry alter column of type varchar`.execute(database.db);
    const answers = await all(db, named('changed', 9));
    expect(answers.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(
      await read<{ n: number }>(database.db, "select count(*)::int as n from entry where of = 'changed'"),
    ).toEqual({ n: 9 });
  });

  it('runs a statement again that PostgreSQL ends because of a deadlock, after the other one, even if that takes its lock late', async () => {
    await using db = connected(database, { pool: { max: 4 } });
    const waiting = () =>
      read<{ n: number }>(
        database.db,
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
    const both = compileOnce<{ of: string }, object>(
      (param) => sql`update entry set of = of || '' where of = ${param('of')} returning name`,
      { allowsGroupCommit: true },
    );
    for (const entry of named('circle', 2)) await enter.execute(db, entry);
    const trx = await db.startTransaction().execute();
    const update = (name: string) =>
      sql<{
        pid: number;
      }>`update entry set of = of where name = ${name} returning pg_backend_pid() as pid`.execute(trx);
    const { rows } = await update('circle 1');
    const pid = rows[0]?.pid as number;
    let isPending = true;
    const updated = Promise.allSettled([
      both.execute(db, { of: 'circle' }).finally(() => (isPending = false)),
    ]);
    await expect.poll(waiting, { timeout: 30_000, interval: 5 }).toEqual({ n: 1 });
    // Whichever of the two PostgreSQL ends, the statement succeeds.
    const other = update('circle 0').then(
      () => trx.commit().execute(),
      () => trx.rollback().execute(),
    );
    while (isPending) {
      if ((await waiting())?.n !== 2) continue;
      // The process of the other one stands still until the deadlock, which PostgreSQL finds after a second, and a little longer.
      process.kill(pid, 'SIGSTOP');
      await setTimeout(1_010);
      process.kill(pid, 'SIGCONT');
    }
    expect(await updated).toMatchObject([{ status: 'fulfilled', value: { length: 2 } }]);
    await other;
  });
});

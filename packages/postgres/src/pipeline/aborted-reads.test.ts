import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDisconnectCheck } from '../connect.ts';
import {
  connected,
  countRuns,
  createTestDatabase,
  read,
  running,
  type TestDatabase,
} from '../testing/driver-helpers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create table note (text text not null)`.execute(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

describe('an aborted read', () => {
  it('is never sent if it was still waiting', async () => {
    await using db = connected(database);
    const runs = await countRuns(database);
    const leaving = new AbortController();
    const waiting = read(db, `select nextval('${runs.name}')`, { signal: leaving.signal });
    leaving.abort(new Error('aborted by the test'));
    await expect(waiting).rejects.toThrow('aborted by the test');
    await read(db, 'select 1');
    expect(await runs.count()).toBe(0);
  });

  it('fails at once if it was sent, and the others on the connection are answered', async () => {
    await using db = connected(database, { pipeline: { connections: 1 } });
    await read(db, 'select 1');
    const leaving = new AbortController();
    const left = read(db, 'select pg_sleep(0.4)', { signal: leaving.signal });
    const neighbours = [1, 2, 3].map((n) => read(db, `select ${n} as n`));
    leaving.abort(new Error('aborted by the test'));
    await expect(left).rejects.toThrow('aborted by the test');
    expect(await Promise.all(neighbours)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('is cancelled on the server if it is slow', async () => {
    await using db = connected(database, { pipeline: { connections: 1 } });
    const leaving = new AbortController();
    const left = read(db, `select pg_sleep(4), 'left'`, { signal: leaving.signal });
    const outcome = expect(left).rejects.toThrow('aborted by the test');
    const behind = read(db, 'select 1 as one');
    await expect.poll(() => running(database, `'left'`)).toBe(1);
    leaving.abort(new Error('aborted by the test'));
    await outcome;
    expect(await behind).toEqual({ one: 1 });
    await expect.poll(() => running(database, `'left'`)).toBe(0);
    expect(await read(db, 'select 2 as two')).toEqual({ two: 2 });
  });

  it('is not accepted if it was aborted before', async () => {
    await using db = connected(database);
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(read(db, 'select 1', { signal })).rejects.toThrow('gone');
  });
});

describe('a client that disconnects', () => {
  it('has its running read cancelled, but not its writes and transactions', async () => {
    await using db = connected(database, { pipeline: { connections: 1 } });
    let isDisconnected = false;
    const ofClient = withDisconnectCheck(db, () => isDisconnected);
    const slow = read(ofClient, `select pg_sleep(4), 'leaves'`);
    const left = expect(slow).rejects.toMatchObject({ name: 'ClientDisconnectedError', code: '57014' });
    await expect.poll(() => running(database, `'leaves'`)).toBe(1);
    const writing = sql`insert into note select 'stays' from pg_sleep(0.1)`.execute(ofClient);
    const transaction = ofClient.transaction().execute((trx) => read(trx, 'select pg_sleep(0.1), 1 as one'));
    isDisconnected = true;
    await left;
    await expect.poll(() => running(database, `'leaves'`)).toBe(0);
    await Promise.all([writing, transaction]);
    expect(await read(db, `select count(*)::int as n from note where text = 'stays'`)).toEqual({ n: 1 });
  });
});

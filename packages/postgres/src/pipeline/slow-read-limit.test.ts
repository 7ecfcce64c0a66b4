import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDisconnectCheck } from '../create-kysely.ts';
import { OverloadedError } from '../errors.ts';
import { createTestDatabase, type TestDatabase } from '../testing/databases.ts';
import { connected, read, running } from '../testing/driving.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const overloaded = { status: 'rejected', reason: expect.any(OverloadedError) };

describe('slow reads of one caller', () => {
  it('leave connections to others, and go on one after another', async () => {
    await using db = connected(database, { connectTimeoutMs: 600 });
    const slow = withDisconnectCheck(db, () => false, 'slow');
    const quick = withDisconnectCheck(db, () => false, 'quick');
    const asked = Array.from({ length: 20 }, (_, n) => read(slow, `select pg_sleep(0.8), ${n}, 'holds'`));
    const ended = Promise.allSettled(asked);
    await expect.poll(() => running(database, `'holds'`)).toBeGreaterThan(0);
    for (let n = 0; n < 20; n += 1) expect(await read(quick, `select ${n} as n`)).toEqual({ n });
    const answers = await ended;
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    // Those that had not begun in the time to wait; none of them goes on on the server.
    expect(answers).toContainEqual(overloaded);
    await expect.poll(() => running(database, `'holds'`), { timeout: 5_000 }).toBe(0);
    expect(await read(slow, 'select 1 as later')).toEqual({ later: 1 });
  });

  it('are refused at once beyond those that may wait', async () => {
    await using db = connected(database, { connectTimeoutMs: 700 });
    const theirs = withDisconnectCheck(db, () => false, 'slow');
    let ended = 0;
    const outcomes = Array.from({ length: 70 }, () =>
      read(theirs, 'select pg_sleep(0.6)').then(
        () => {
          ended += 1;
        },
        (error: unknown) => {
          expect(error).toBeInstanceOf(OverloadedError);
          return ended;
        },
      ),
    );
    const endedBefore = (await Promise.all(outcomes)).filter((one) => one !== undefined);
    expect(endedBefore.filter((before) => before === 0).length).toBeGreaterThanOrEqual(70 - 40 - 8);
  });
});

describe('a read that was sent again', () => {
  it('is given up after the time to wait where it stands behind slow ones everywhere', async () => {
    await using db = connected(database, { pipelines: 1, connectTimeoutMs: 300 });
    const slow = [1, 2, 3].map((n) => read(db, `select pg_sleep(1.5), ${n}`));
    const behind = read(db, 'select 1');
    const ended = Promise.allSettled(slow);
    await expect(behind).rejects.toBeInstanceOf(OverloadedError);
    expect((await ended)[0]).toMatchObject({ status: 'fulfilled' });
  });
});

describe('a slow read that nobody waits for', () => {
  it('is cancelled though others stand behind it, and they are answered', async () => {
    await using db = connected(database, { pipelines: 1 });
    const theirs = withDisconnectCheck(db, () => false, 'caller');
    const leaving = new AbortController();
    const left = read(theirs, `select pg_sleep(4.5), 'left'`, { signal: leaving.signal });
    const outcome = expect(left).rejects.toThrow('the client left');
    const behind = [1, 2, 3].map((n) => read(theirs, `select ${n} as n`));
    await expect.poll(() => running(database, `'left'`)).toBe(1);
    await sql`select pg_sleep(0.2)`.execute(database.db);
    leaving.abort(new Error('the client left'));
    await outcome;
    expect(await Promise.all(behind)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(await running(database, `'left'`)).toBe(0);
  });
});

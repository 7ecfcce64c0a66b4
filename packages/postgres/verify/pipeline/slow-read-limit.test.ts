import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDisconnectCheck } from '../../src/connect.ts';
import { OverloadedError } from '../../src/errors.ts';
import {
  connected,
  createTestDatabase,
  read,
  running,
  type TestDatabase,
} from '../../src/testing/driver-helpers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const overloaded = { status: 'rejected', reason: expect.any(OverloadedError) };

describe('the slow reads of one caller', () => {
  it('leave connections to others, and continue one after another', async () => {
    await using db = connected(database, { timeouts: { connectMs: 600 } });
    const slow = withDisconnectCheck(db, () => false, 'slow');
    const quick = withDisconnectCheck(db, () => false, 'quick');
    const asked = Array.from({ length: 20 }, (_, n) => read(slow, `select pg_sleep(0.8), ${n}, 'holds'`));
    const ended = Promise.allSettled(asked);
    await expect.poll(() => running(database, `'holds'`)).toBeGreaterThan(0);
    for (let n = 0; n < 20; n += 1) expect(await read(quick, `select ${n} as n`)).toEqual({ n });
    const answers = await ended;
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    // Those that had not started within the time limit; none of them runs on the server.
    expect(answers).toContainEqual(overloaded);
    await expect.poll(() => running(database, `'holds'`)).toBe(0);
    expect(await read(slow, 'select 1 as later')).toEqual({ later: 1 });
  });

  it('are rejected at once if too many of them wait', async () => {
    await using db = connected(database, { timeouts: { connectMs: 700 } });
    const ofCaller = withDisconnectCheck(db, () => false, 'slow');
    let ended = 0;
    const outcomes = Array.from({ length: 70 }, () =>
      read(ofCaller, 'select pg_sleep(0.6)').then(
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

describe('a hedged read', () => {
  it('is rejected after the time limit if it is behind slow ones on every connection', async () => {
    await using db = connected(database, { pipeline: { connections: 1 }, timeouts: { connectMs: 300 } });
    const slow = [1, 2, 3].map((n) => read(db, `select pg_sleep(1.5), ${n}`));
    const behind = read(db, 'select 1');
    const ended = Promise.allSettled(slow);
    await expect(behind).rejects.toBeInstanceOf(OverloadedError);
    expect((await ended)[0]).toMatchObject({ status: 'fulfilled' });
  });
});

describe('a slow read that was aborted', () => {
  it('is cancelled although others are behind it, and they are answered', async () => {
    await using db = connected(database, { pipeline: { connections: 1 } });
    const ofCaller = withDisconnectCheck(db, () => false, 'caller');
    const leaving = new AbortController();
    const left = read(ofCaller, `select pg_sleep(4.5), 'left'`, { signal: leaving.signal });
    const outcome = expect(left).rejects.toThrow('aborted by the test');
    const behind = [1, 2, 3].map((n) => read(ofCaller, `select ${n} as n`));
    await expect.poll(() => running(database, `'left'`)).toBe(1);
    await sql`select pg_sleep(0.2)`.execute(database.db);
    leaving.abort(new Error('aborted by the test'));
    await outcome;
    expect(await Promise.all(behind)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(await running(database, `'left'`)).toBe(0);
  });
});

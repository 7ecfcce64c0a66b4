import dns from 'node:dns';
import { type DatabaseProxy, startProxy } from '@roster/local-postgres/testing/proxy';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/databases.ts';
import { connected, read } from '../testing/driving.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

type Answer = (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void;

/** The DNS of this process: what it answers for every name that is looked up, and how often it was asked. */
const names = {
  asked: 0,
  answer: (found: Answer) => found(null, []),
};
let unanswered: Answer[] = [];
const works = (found: Answer) => found(null, [{ address: '127.0.0.1', family: 4 }]);
const isSilent = (found: Answer) => void unanswered.push(found);
const fails = (found: Answer) =>
  found(Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' }), []);

const { lookup } = dns;
beforeEach(() => {
  names.asked = 0;
  names.answer = works;
  vi.spyOn(dns, 'lookup').mockImplementation(((
    name: string,
    options: dns.LookupAllOptions,
    found: Answer,
  ) => {
    if (!name.endsWith('.example')) return lookup(name, options, found);
    names.asked += 1;
    setImmediate(() => names.answer(found));
  }) as typeof dns.lookup);
});
afterEach(() => {
  for (const found of unanswered) fails(found);
  unanswered = [];
  vi.restoreAllMocks();
});

let count = 0;
/** A connection to a database by a name that nothing has connected to before. */
function byName({ connection }: DatabaseProxy) {
  count += 1;
  const host = `database-${count}.example`;
  return connected({ connection: { ...connection, host } }, { pipelines: 1, idleTimeoutMs: 1 });
}

describe('the address of the database', () => {
  it.each([
    ['is silent', isSilent],
    ['fails', fails],
  ])('is the last good one where the DNS %s, for reads and for writes', async (_, broken) => {
    await using proxy = await startProxy(database);
    await using db = byName(proxy);
    expect(await read(db, 'select 1 as one')).toEqual({ one: 1 });
    names.answer = broken;
    proxy.cut();
    await proxy.mend();
    await expect.poll(() => read(db, 'select 2 as two').catch(() => undefined)).toEqual({ two: 2 });
    expect((await sql`select 3 as three`.execute(db)).rows).toEqual([{ three: 3 }]);
  });

  it('is looked up once for all connections that are opened while the DNS is silent', async () => {
    await using proxy = await startProxy(database);
    await using db = byName(proxy);
    await read(db, 'select 1');
    names.answer = isSilent;
    const before = names.asked;
    await Promise.all(Array.from({ length: 6 }, () => sql`select pg_sleep(0.05)`.execute(db)));
    expect(names.asked - before).toBe(1);
  });

  it('is the new one as soon as the DNS says so', async () => {
    await using first = await startProxy(database);
    await using db = byName(first);
    await read(db, 'select 1');
    names.answer = (found) => found(null, [{ address: '127.0.0.2', family: 4 }]);
    // Nobody listens there: the address of before is not taken while the DNS answers.
    await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ code: expect.any(String) });
    names.answer = works;
    await expect
      .poll(() =>
        sql`select 1`.execute(db).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });
});

import dns from 'node:dns';
import { type DatabaseProxy, startProxy } from '@roster/local-postgres/testing/proxy';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { connected, createTestDatabase, read, type TestDatabase } from '../testing/driver-helpers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

type Answer = (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void;

/** The DNS of this process: its response to every name, and the number of lookups. */
const fakeDns = {
  lookups: 0,
  respond: (found: Answer) => found(null, []),
};
let unanswered: Answer[] = [];
const works = (found: Answer) => found(null, [{ address: '127.0.0.1', family: 4 }]);
const isSilent = (found: Answer) => void unanswered.push(found);
const fails = (found: Answer) =>
  found(Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' }), []);

const { lookup } = dns;
beforeEach(() => {
  fakeDns.lookups = 0;
  fakeDns.respond = works;
  vi.spyOn(dns, 'lookup').mockImplementation(((
    name: string,
    options: dns.LookupAllOptions,
    found: Answer,
  ) => {
    if (!name.endsWith('.example')) return lookup(name, options, found);
    fakeDns.lookups += 1;
    setImmediate(() => fakeDns.respond(found));
  }) as typeof dns.lookup);
});
afterEach(() => {
  for (const found of unanswered) fails(found);
  unanswered = [];
  vi.restoreAllMocks();
});

let count = 0;
/** Connections by a host name that was not resolved before. */
function byName({ connection }: DatabaseProxy) {
  count += 1;
  const host = `database-${count}.example`;
  return connected(
    { connection: { ...connection, host } },
    { pipeline: { connections: 1 }, pool: { idleTimeoutMs: 1 } },
  );
}

describe('the address of a host', () => {
  it.each([
    ['does not respond', isSilent],
    ['fails', fails],
  ])('is the last known one if the DNS %s, for reads and for writes', async (_, broken) => {
    await using proxy = await startProxy(database);
    await using db = byName(proxy);
    expect(await read(db, 'select 1 as one')).toEqual({ one: 1 });
    fakeDns.respond = broken;
    proxy.cut();
    await proxy.mend();
    await expect.poll(() => read(db, 'select 2 as two').catch(() => undefined)).toEqual({ two: 2 });
    expect((await sql`select 3 as three`.execute(db)).rows).toEqual([{ three: 3 }]);
  });

  it('is looked up once for all connections that are opened while the DNS does not respond', async () => {
    await using proxy = await startProxy(database);
    await using db = byName(proxy);
    await read(db, 'select 1');
    fakeDns.respond = isSilent;
    const before = fakeDns.lookups;
    await Promise.all(Array.from({ length: 6 }, () => sql`select pg_sleep(0.05)`.execute(db)));
    expect(fakeDns.lookups - before).toBe(1);
  });

  it('is the new one as soon as the DNS returns it', async () => {
    await using first = await startProxy(database);
    await using db = byName(first);
    await read(db, 'select 1');
    fakeDns.respond = (found) => found(null, [{ address: '127.0.0.2', family: 4 }]);
    // Nothing listens there: the last known address is not used while the DNS responds.
    await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ code: expect.any(String) });
    fakeDns.respond = works;
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

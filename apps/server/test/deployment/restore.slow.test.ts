import { definitions, purgeTombstones } from '@roster/api/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, collections, directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
let now = new Date('2026-01-31T08:00:00.000Z');
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ now: () => now });
});
afterAll(() => server[Symbol.asyncDispose]());

const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const restore = (collection: string, id: string) => server.request('PUT', `/${collection}/${id}/restore`);

describe.each(collections)('restore of one of %s', (collection) => {
  it('returns 200 with the record and its new version, which has the time of the restore', async () => {
    const before = await directoryOf(server).create(collection);
    await directoryOf(server).remove(collection, before.id);
    later(60_000);
    const response = await restore(collection, before.id);
    expect(response.status).toBe(200);
    expect(response.headers.get('ETag')).toBe('"2"');
    expect(await bodyOf(response)).toEqual({ ...before, version: 2, updatedAt: now.toISOString() });
  });

  it('is idempotent: a record that is not deleted is returned as it is', async () => {
    const { id } = await directoryOf(server).create(collection);
    expect((await directoryOf(server).put(collection, id, 'restore')).version).toBe(1);
    await directoryOf(server).remove(collection, id);
    const first = await directoryOf(server).put(collection, id, 'restore');
    expect(await directoryOf(server).put(collection, id, 'restore')).toEqual(first);
  });

  it('can be followed by another deletion and another restore', async () => {
    const { id } = await directoryOf(server).create(collection);
    for (const version of [2, 3]) {
      await directoryOf(server).remove(collection, id);
      expect((await directoryOf(server).put(collection, id, 'restore')).version).toBe(version);
    }
  });

  it('succeeds until the end of the retention and is 404 after it', async () => {
    const [early, late] = await Promise.all([1, 2].map(() => directoryOf(server).create(collection)));
    for (const record of [early, late]) await directoryOf(server).remove(collection, `${record?.id}`);
    later(30 * DAY_MS - 1);
    expect((await restore(collection, `${early?.id}`)).status).toBe(200);
    later(1);
    await expectProblem(await restore(collection, `${late?.id}`), 'not_found');
  });

  it('with the id of the other resource is 404', async () => {
    const { id } = await directoryOf(server).create(collection);
    await directoryOf(server).remove(collection, id);
    const other = collection === 'offices' ? 'agents' : 'offices';
    await expectProblem(await restore(other, id), 'not_found');
    expect((await restore(collection, id)).status).toBe(200);
  });

  it('is rejected while another record has its source, and succeeds when that is free', async () => {
    const source = { name: 'MLS', key: `restore-${collection}` };
    const { id } = await directoryOf(server).create(collection, { source });
    await directoryOf(server).remove(collection, id);
    const other = await directoryOf(server).create(collection, { source });
    await expectProblem(await restore(collection, id), 'source_taken');
    await directoryOf(server).patch(collection, other.id, { source: null });
    expect(await directoryOf(server).put(collection, id, 'restore')).toMatchObject({ source, version: 2 });
  });
});

describe('restore of an agent', () => {
  it('is rejected while another agent has the e-mail, in any letter case', async () => {
    const { id } = await directoryOf(server).agent({ email: 'back@atlantico.example' });
    await directoryOf(server).remove('agents', id);
    const other = await directoryOf(server).agent({ email: 'BACK@atlantico.example' });
    await expectProblem(await restore('agents', id), 'email_taken');
    await directoryOf(server).remove('agents', other.id);
    expect((await restore('agents', id)).status).toBe(200);
    await expectProblem(await restore('agents', other.id), 'email_taken');
  });

  it('is rejected if its office is deleted, and succeeds when that is restored first', async () => {
    const office = await directoryOf(server).office();
    const agent = await directoryOf(server).agent({ officeId: office.id });
    await directoryOf(server).remove('agents', agent.id);
    await directoryOf(server).remove('offices', office.id);
    const fault = { pointer: '#/officeId', code: 'not_found' };
    await expectFault(await restore('agents', agent.id), 'reference_not_found', fault);
    expect((await restore('offices', office.id)).status).toBe(200);
    expect((await restore('agents', agent.id)).status).toBe(200);
  });

  it('is rejected in an office that became inactive, unless the agent is inactive too', async () => {
    const office = await directoryOf(server).office();
    const [active, inactive] = await Promise.all(
      [1, 2].map(() => directoryOf(server).agent({ officeId: office.id })),
    );
    await directoryOf(server).put('agents', `${inactive?.id}`, 'deactivate');
    for (const agent of [active, inactive]) await directoryOf(server).remove('agents', `${agent?.id}`);
    await directoryOf(server).put('offices', office.id, 'deactivate');
    await expectProblem(await restore('agents', `${active?.id}`), 'office_inactive');
    expect((await restore('agents', `${inactive?.id}`)).status).toBe(200);
  });

  it('keeps the display name a default if it was one', async () => {
    const { id } = await directoryOf(server).agent({ firstName: 'Ana', lastName: 'Silva' });
    await directoryOf(server).remove('agents', id);
    await directoryOf(server).put('agents', id, 'restore');
    expect((await directoryOf(server).patch('agents', id, { lastName: 'Costa' })).displayName).toBe(
      'Ana Costa',
    );
  });

  it('keeps the time of the last transfer', async () => {
    const { id } = await directoryOf(server).agent();
    const office = await directoryOf(server).office();
    const { transferredAt } = await directoryOf(server).patch('agents', id, { officeId: office.id });
    await directoryOf(server).remove('agents', id);
    later(1_000);
    expect(await directoryOf(server).put('agents', id, 'restore')).toMatchObject({
      transferredAt,
      officeId: office.id,
    });
  });
});

describe('deleting expired tombstones', () => {
  it('deletes those whose retention is over, and no others', async () => {
    const deleteExpired = () => purgeTombstones(server.database.db, definitions, { now, retentionDays: 30 });
    later(31 * DAY_MS);
    await deleteExpired();
    const { id } = await directoryOf(server).office();
    await directoryOf(server).remove('offices', id);
    later(30 * DAY_MS - 1);
    expect(await deleteExpired()).toBe(0);
    later(1);
    expect(await deleteExpired()).toBe(1);
    expect(await deleteExpired()).toBe(0);
  });
});

describe('a deletion during a restore of the same record', () => {
  const STATEMENT_LOCK = 7_041;

  it('deletes the restored record; 204 is never returned for a record that stays', async () => {
    const { db } = server.database;
    const { id } = await directoryOf(server).create('agents');
    await directoryOf(server).remove('agents', id);
    // The deletion has looked for the record, and waits before it goes on.
    await sql`
      create function wait_before_deletion() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock(${sql.lit(STATEMENT_LOCK)}); return null; end $$`.execute(db);
    await sql`
      create trigger waits before delete on agent for each statement execute function wait_before_deletion()`.execute(
      db,
    );
    const deletion = await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${STATEMENT_LOCK})`.execute(trx);
      const waiting = server.request('DELETE', `/agents/${id}`);
      const blocked = sql`
        select 1 from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`;
      await expect.poll(async () => (await blocked.execute(db)).rows.length).toBe(1);
      expect((await restore('agents', id)).status).toBe(200);
      // Wrapped, because the transaction would wait for it, and it waits for the transaction.
      return { waiting };
    });
    const { status } = await deletion.waiting;
    await sql`drop trigger waits on agent`.execute(db);
    expect(status).toBe(204);
    await expectProblem(await server.request('GET', `/agents/${id}`), 'not_found');
  });
});

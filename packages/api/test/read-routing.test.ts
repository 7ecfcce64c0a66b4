import { openReplicas, type Replicas } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RosterError } from '../src/errors/roster-error.ts';
import { queryRecords } from '../src/query.ts';
import { createReadRouter, type Freshness, type ReadRouter } from '../src/trpc/read-routing.ts';
import type { ResponseMeta } from '../src/trpc/response-meta.ts';
import { contextOf, keyOf } from './support/context.ts';

let database: TestDatabase;
let replicas: Replicas;
beforeAll(async () => {
  database = await createTestDatabase();
  // What the primary says is all that is asked for here.
  replicas = openReplicas({ db: database.db, urls: [] });
});
afterAll(async () => {
  await replicas[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const callerOf = (id: string) => keyOf([], { id });

/** What the reads of a new request of this key have to see. */
function demandOf(router: ReadRouter, keyId: string, freshness?: Freshness) {
  const meta: ResponseMeta = { isReplayed: false };
  router.route(meta, { db: database.db, caller: callerOf(keyId), freshness });
  return meta.readState;
}

/** A change of this key; answers what its own answer says of it. */
async function change(router: ReadRouter, keyId: string, error?: unknown): Promise<string | undefined> {
  const meta: ResponseMeta = { isReplayed: false };
  await router.afterWrite(meta, { caller: callerOf(keyId), error });
  return meta.readState?.seen;
}

const free = { after: undefined, isPrimaryOnly: false };

describe('a read', () => {
  it('sees the last write of its key through this server and its token, whichever is later', async () => {
    const router = createReadRouter(replicas);
    expect(demandOf(router, 'a')).toEqual(free);
    const token = await change(router, 'a');
    expect(token).toMatch(/^[0-9A-F]{24}$/);
    expect(demandOf(router, 'a')).toEqual({ after: token, isPrimaryOnly: false });
    expect(demandOf(router, 'a', '0'.repeat(24))).toMatchObject({ after: token });
    expect(demandOf(router, 'a', 'F'.repeat(24))).toMatchObject({ after: 'F'.repeat(24) });
    expect(demandOf(router, 'b')).toEqual(free);
  });

  it('goes to the primary for `latest`', () => {
    const router = createReadRouter(replicas);
    expect(demandOf(router, 'a', 'latest')).toMatchObject({ isPrimaryOnly: true });
  });

  it('by a condition is routed as those of procedures are', async () => {
    const readRouter = createReadRouter(replicas);
    const token = await change(readRouter, 'a');
    const readStateOf = async (freshness?: Freshness) => {
      const responseMeta: ResponseMeta = { isReplayed: false };
      const request = { responseMeta, freshness: () => freshness };
      const context = contextOf(database.db, { request, services: { readRouter } });
      const caller = keyOf(['agents:read'], { id: 'a' });
      await queryRecords({ ...context, caller }, { resource: 'agents', orderBy: [], limit: 1 });
      return responseMeta.readState;
    };
    const state = await readStateOf();
    expect(state?.isPrimaryOnly).toBe(false);
    // It also says what the read has seen, which later reads of the request see too.
    expect((state?.after ?? '') >= String(token)).toBe(true);
    expect(state?.seen).toBe(state?.after);
    expect(await readStateOf('latest')).toMatchObject({ isPrimaryOnly: true });
  });

  it('sees the current end of the WAL after a write whose outcome is unknown', async () => {
    const router = createReadRouter(replicas);
    // What the write may have added to the WAL.
    const { rows } = await sql<{
      lsn: string;
    }>`select pg_logical_emit_message(false, 'test', 'write')::text as lsn`.execute(database.db);
    expect(await change(router, 'a', new RosterError('unavailable'))).toBeUndefined();
    // Until the log has been looked at since, which happens many times a second.
    expect(demandOf(router, 'a')).toMatchObject({ isPrimaryOnly: true });
    await expect.poll(() => demandOf(router, 'a')?.isPrimaryOnly).toBe(false);
    const lsn =
      rows[0]?.lsn
        .split('/')
        .map((half) => half.padStart(8, '0'))
        .join('') ?? '';
    expect((demandOf(router, 'a')?.after?.slice(8) ?? '') >= lsn).toBe(true);
  });

  it('sees the record that rejected its write, and needs nothing after a write that did not reach the database', async () => {
    const router = createReadRouter(replicas);
    expect(await change(router, 'a', new RosterError('validation_failed'))).toBeUndefined();
    expect(demandOf(router, 'a')).toEqual(free);
    const token = await change(router, 'a', new RosterError('version_conflict'));
    expect(demandOf(router, 'a')).toEqual({ after: token, isPrimaryOnly: false });
  });

  it('sees a write whose key was dropped, because that write counts for all keys', async () => {
    const router = createReadRouter(replicas, { callersMax: 1 });
    const token = (await change(router, 'a')) ?? '';
    await change(router, 'b');
    for (const key of ['a', 'stranger']) {
      await expect.poll(() => demandOf(router, key)?.isPrimaryOnly).toBe(false);
      expect((demandOf(router, key)?.after ?? '') >= token).toBe(true);
    }
  });
});

describe('the primary', () => {
  it('has one term for all servers, and a greater token after each commit', async () => {
    await using other = openReplicas({ db: database.db, urls: [] });
    const before = await replicas.currentToken();
    await sql`create table written as select 1`.execute(database.db);
    const after = await other.currentToken();
    expect((after ?? '') > (before ?? '')).toBe(true);
    expect(await database.db.selectFrom('primary_term').select('term').execute()).toEqual([{ term: 1 }]);
  });
});

import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';
import { keyOf } from '../../test/support/context.ts';
import { ADMIN } from '../access/caller.ts';
import { createDenialLog } from '../log/denial-log.ts';
import { assignPositions } from '../log/sequencer.ts';

const ANA = '01980a3f-0000-7000-8000-000000000001';
const RUI = '01980a3f-0000-7000-8000-000000000002';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const callerOf = (id: string) =>
  callerIn(database.db, { request: { authenticate: async () => keyOf(ADMIN.scopes, { id }) } });

describe('events of an actor', () => {
  it('are those of the changes that the key or person made, with or without a type and a record', async () => {
    const { offices } = callerOf(ANA);
    const office = await offices.create({ name: 'Lisboa' });
    await callerOf(RUI).offices.update({ id: office.id, phoneExt: '1' });
    await offices.update({ id: office.id, phoneExt: '2' });
    await assignPositions(database.db);
    const { events } = callerOf(RUI);
    const typesOf = async (query: object) =>
      (await events.list({ ...query })).items.map(({ type, actorId }) => [type, actorId]);
    expect(await typesOf({ actorId: ANA })).toEqual([
      ['office.created', ANA],
      ['office.updated', ANA],
    ]);
    expect(await typesOf({ actorId: RUI })).toEqual([['office.updated', RUI]]);
    expect(await typesOf({ actorId: ANA, types: ['office.updated'], subject: office.id })).toEqual([
      ['office.updated', ANA],
    ]);
    expect(await typesOf({ actorId: office.id })).toEqual([]);
  });

  it('of denied rights are those that were denied to the caller', async () => {
    const log = createDenialLog({
      db: database.db,
      now: () => new Date(),
      onFailure: (error) => expect(error).toBe(undefined),
    });
    for (const id of [ANA, RUI]) {
      const caller = { type: 'key' as const, id, name: 'A key' };
      const denial = { errorCode: 'insufficient_scope' as const, detail: 'No.', requestId: 'r' };
      log.record({ caller, procedure: 'keys.list', ...denial });
    }
    await expect
      .poll(async () => {
        const { rows } = await sql`select from admin_event where type = 'access.denied'`.execute(database.db);
        return rows.length;
      })
      .toBe(2);
    await log.close();
    const { items } = await callerOf(RUI).events.list({ types: ['access.denied'], actorId: ANA });
    expect(items.map(({ record }) => record)).toMatchObject([
      { caller: { id: ANA }, procedure: 'keys.list' },
    ]);
  });
});

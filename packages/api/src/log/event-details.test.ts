import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';
import { agents } from '../directory/agents/definition.ts';
import { byId, changeRecords } from '../engine/write/mutations.ts';
import { assignPositions } from './sequencer.ts';

const BULK = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
const cause = { now: new Date('2026-01-31T08:00:00.000Z'), actorId: null, requestId: null };

it('an event has the details of its cause, and null without any', async () => {
  await using database = await createTestDatabase({ requiresEvents: true });
  const caller = callerIn(database.db);
  const { id } = await caller.agents.create({ firstName: 'Ana', lastName: 'Reis' });
  const change = { selection: byId(id), columns: { phone: { value: '1' } }, verb: 'updated' as const };
  await changeRecords(database.db, agents, {
    ...change,
    cause: { ...cause, details: { bulkId: BULK } },
    limit: undefined,
  });
  await assignPositions(database.db);
  const { items } = await caller.events.list({ subject: id });
  expect(items.map(({ details }) => details)).toEqual([null, { bulkId: BULK }]);
});

it('the event of a transfer names both offices, beside the details of its cause', async () => {
  await using database = await createTestDatabase({ requiresEvents: true });
  const caller = callerIn(database.db);
  const [from, to] = [await caller.offices.create({ name: 'A' }), await caller.offices.create({ name: 'B' })];
  const { id } = await caller.agents.create({ firstName: 'Ana', lastName: 'Reis' });
  const transfer = (officeId: string, details?: { bulkId: string }) =>
    changeRecords(database.db, agents, {
      selection: byId(id),
      columns: { office_id: { value: officeId } },
      verb: 'transferred',
      cause: { ...cause, details },
      limit: undefined,
    });
  await transfer(from.id);
  await transfer(to.id, { bulkId: BULK });
  await assignPositions(database.db);
  const { items } = await caller.events.list({ types: ['agent.transferred'] });
  expect(items.map(({ details }) => details)).toEqual([
    { fromOfficeId: null, toOfficeId: from.id },
    { fromOfficeId: from.id, toOfficeId: to.id, bulkId: BULK },
  ]);
});

it('the log takes no event of an unknown type', async () => {
  await using database = await createTestDatabase();
  const insert = (type: string) =>
    sql`
      insert into event (type, subject_id, version, occurred_at, record)
      values (${type}, ${BULK}, 1, now(), '{}')`.execute(database.db);
  await insert('office.license_expiring');
  await expect(insert('office.transferred')).rejects.toMatchObject({ constraint: 'event_type_check' });
});

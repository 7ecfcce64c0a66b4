import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';
import { rejected } from '../../test/support/rejected.ts';
import { runDueChanges } from '../host/run-due.ts';
import { AGENTS_MAX } from './transfer.ts';

/** Agents that one statement inserts. */
const BATCH_SIZE = 4_000;

it('an office with more agents than one transaction changes is rejected at once, and if scheduled fails visibly', async () => {
  await using database = await createTestDatabase();
  const { db } = database;
  let now = new Date();
  const caller = callerIn(db, { now: () => now });
  const [full, affiliated, other] = await Promise.all(
    [1, 2, 3].map(() => caller.offices.create({ name: 'Casa' })),
  );
  const [fullId = '', affiliatedId = '', toOfficeId = ''] = [full, affiliated, other].map((one) => one?.id);
  // Their JSON and their search text do not matter here.
  await sql`alter table agent disable trigger user`.execute(db);
  for (let left = AGENTS_MAX + 1; left > 0; left -= BATCH_SIZE) {
    await sql`
      with inserted as (
        insert into agent (id, created_at, updated_at, status_changed_at, first_name, last_name, office_id)
        select gen_random_uuid(), now(), now(), now(), 'Ana', 'Reis', ${fullId}
        from generate_series(1, ${Math.min(left, BATCH_SIZE)}::int)
        returning id, created_at
      )
      insert into agent_affiliation (agent_id, affiliated_office_id, agent_created_at)
      select id, ${affiliatedId}, created_at from inserted`.execute(db);
  }
  await sql`alter table agent enable trigger user`.execute(db);
  const { errorCode } = await rejected(caller.offices.transferAgents({ id: fullId, toOfficeId }));
  expect(errorCode).toBe('too_many_agents');
  const effectiveAt = new Date(now.getTime() + 3_600_000).toISOString();
  await caller.offices.transferAgents({ id: fullId, toOfficeId, effectiveAt });
  await caller.offices.deactivate({ id: affiliatedId, cascade: true, effectiveAt });
  now = new Date(effectiveAt);
  await runDueChanges(db, { now: () => now, onError: () => undefined });
  for (const subject of [fullId, affiliatedId]) {
    const { items } = await caller.scheduledChanges.list({ subject });
    expect(items).toMatchObject([{ status: 'failed', errorCode: 'too_many_agents' }]);
    expect(await caller.offices.get({ id: subject })).toMatchObject({
      status: 'active',
      scheduledChanges: [],
    });
  }
});

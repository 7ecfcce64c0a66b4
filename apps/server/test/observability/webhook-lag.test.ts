import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { LAG_WARNED_S, warnOfLag } from '../../src/workers/webhook-lag.ts';

it('a webhook that has fallen behind is warned of by its id, and one that is less behind is not', async () => {
  await using database = await createTestDatabase();
  const { db } = database;
  const ages = [LAG_WARNED_S + 30, LAG_WARNED_S - 30];
  await sql`
    insert into event (position, type, subject_id, version, occurred_at, record)
    select place, 'office.created', gen_random_uuid(), 1, now() - age * interval '1 s', '{}'
    from unnest(${ages}::int[]) with ordinality as given (age, place)`.execute(db);
  await sql`update event_log set last_position = 2`.execute(db);
  const [late, inTime] = [randomUUID(), randomUUID()];
  await sql`
    insert into webhook (id, url, status, status_changed_at, read_to, created_at, updated_at)
    select id, 'https://hooks.example.com/secret', 'active', now(), read_to, now(), now()
    from unnest(${[late, inTime]}::uuid[], '{0,1}'::int[]) as given (id, read_to)`.execute(db);
  const lines: unknown[][] = [];
  await warnOfLag(db, { warn: (...line: unknown[]) => void lines.push(line) });
  const lagS = expect.toSatisfy((seconds: number) => seconds >= LAG_WARNED_S + 30);
  expect(lines).toEqual([[{ webhookId: late, lagS, isSlow: false }, 'a webhook has fallen behind']]);
});

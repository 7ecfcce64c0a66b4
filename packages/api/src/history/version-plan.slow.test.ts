import { connect } from '@roster/db';
import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { findVersion } from './repository.ts';

const RECORD_EVENTS = 5_000;
const OTHER_EVENTS = 20_000;

it('a version is found by the events of its record, however many these are, and not by reading the log', async () => {
  await using database = await createTestDatabase();
  const { db } = database;
  const subject = crypto.randomUUID();
  // Most events of a log are those of version 1, so that PostgreSQL expects many of this record too.
  await sql`
    insert into event (type, subject_id, version, occurred_at, record, previous, position)
    select 'agent.updated', case when n <= ${OTHER_EVENTS}::int then gen_random_uuid() else ${subject}::uuid end,
      case when n % 10 = 0 then n else 1 end, now(), '{}', '{}', n
    from generate_series(1, ${OTHER_EVENTS + RECORD_EVENTS}::int) as n`.execute(db);
  await sql`analyze event`.execute(db);
  let statement = '';
  const listening = connect({
    connection: database.connection,
    onStatement: ({ sql: text }) => {
      statement = text;
    },
  });
  await findVersion(listening, { table: 'agent', subject, limit: undefined, version: OTHER_EVENTS + 10 });
  await listening.destroy();
  const plan = await db.connection().execute(async (connection) => {
    await sql.raw(`prepare planned as ${statement}`).execute(connection);
    const execute = sql`explain execute planned(${sql.lit(subject)}, ${sql.lit(1)}, 'agent.')`;
    const { rows } = await execute.execute(connection);
    return JSON.stringify(rows);
  });
  expect(plan).toContain('event_subject_idx');
});

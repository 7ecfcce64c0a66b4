import { compileOnce, type Database, type Param } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { oneRowOf } from '../log/backlog.ts';

export type ScheduledChangeStats = Awaited<ReturnType<typeof readScheduledChangeStats>>;

const COUNTED_MAX = 10_000;
const oldestDueS = sql<number>`coalesce(greatest(extract(epoch from now() - min(due_at)), 0), 0)::float8`;

const selectScheduledChangeStats = compileOnce((_: Param<object>, db: Kysely<Database>) => {
  const pending = db.selectFrom('scheduled_change').where('status', '=', sql.lit('pending')).select('due_at');
  return db
    .selectFrom(pending.orderBy('due_at').limit(sql.lit(COUNTED_MAX)).as('counted'))
    .select([
      sql<number>`count(*)::int`.as('pending'),
      sql<number>`count(*) filter (where due_at <= now())::int`.as('due'),
      oldestDueS.as('oldestDueS'),
    ]);
});

export const readScheduledChangeStats = oneRowOf(selectScheduledChangeStats);

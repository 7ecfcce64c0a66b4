import type { Database } from '@roster/db';
import { type AliasableExpression, type Kysely, sql } from 'kysely';
import type { OfficeLimit } from '../engine/office-limit.ts';
import { RosterError } from '../errors/roster-error.ts';

/** A resource that clients create, and that is stored until it is deleted or ends. */
interface Creation {
  words: string;
  existing: (db: Kysely<Database>, now: Date) => AliasableExpression<{ owner: string | null }>;
  /** Of all owners together. Absent for webhooks, which have ROSTER_WEBHOOKS_MAX. */
  max?: number;
  /** Defaults to half of `max`. */
  ownerMax?: number;
}

export const creations = {
  webhooks: { words: 'webhooks', existing: (db) => db.selectFrom('webhook').select('created_by as owner') },
  keys: {
    words: 'keys',
    existing: (db, now) =>
      db
        .selectFrom('api_key')
        .where('revoked_at', 'is', null)
        .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', now)]))
        .select('created_by as owner'),
    max: 10_000,
  },
  jobs: {
    words: 'unfinished jobs',
    // Uploads in progress have reserved their job.
    existing: (db, now) =>
      db
        .selectFrom('job')
        .where('finished_at', 'is', null)
        .select('created_by as owner')
        .unionAll(
          db
            .selectFrom('upload')
            .where('import_id', 'is', null)
            .where('expires_at', '>', now)
            .select('created_by as owner'),
        ),
    max: 100,
  },
  scheduledChanges: {
    words: 'pending scheduled changes',
    existing: (db) =>
      db.selectFrom('scheduled_change').where('status', '=', 'pending').select('scheduled_by as owner'),
    max: 100_000,
  },
  invitations: {
    words: 'open invitations',
    existing: (db, now) =>
      db
        .selectFrom('invitation')
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .select('created_by as owner'),
    max: 10_000,
    ownerMax: 1_000,
  },
  views: {
    words: 'views',
    existing: (db) => db.selectFrom('saved_view').select('created_by as owner'),
    max: 100_000,
    ownerMax: 200,
  },
} satisfies Record<string, Creation>;

export type CreationName = keyof typeof creations;

export function ownerMaxOf(name: CreationName, max: number): number {
  const { ownerMax = Math.ceil(max / 2) }: Creation = creations[name];
  return ownerMax;
}

/** Limited access leaves a fifth to unlimited access. */
export function maxFor(limit: OfficeLimit | undefined, max: number): number {
  return limit === undefined ? max : max - Math.floor(max / 5);
}

/** Locks a count until the transaction ends, so that transactions count one after the other. */
export async function lockNumber(trx: Kysely<Database>, words: string): Promise<void> {
  const name = `the number of ${words}`;
  // Not a select of the builder, which would count as a read.
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

interface Creating {
  caller: { id: string };
  limit: OfficeLimit | undefined;
  now: () => Date;
}

interface CreationCheck {
  max?: number;
  created?: number;
}

/** Throws `limit_reached`. Holds a lock until the transaction ends, so wait for no client afterwards. */
export async function checkCreationLimit(
  trx: Kysely<Database>,
  name: CreationName,
  creating: Creating,
  check?: CreationCheck,
): Promise<void> {
  await lockNumber(trx, creations[name].words);
  await checkNumber(trx, name, creating, check);
}

/** Takes no lock, and so misses concurrent creations. Throws `limit_reached`. */
export async function checkNumber(
  db: Kysely<Database>,
  name: CreationName,
  { caller, limit, now }: Creating,
  { max = maxOf(name), created = 0 }: CreationCheck = {},
): Promise<void> {
  const { words, existing }: Creation = creations[name];
  const count = await db
    .selectFrom(existing(db, now()).as('existing'))
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) filter (where owner = ${caller.id}::uuid))::int`.as('own'),
    ])
    .executeTakeFirstOrThrow();
  const [all, own] = [count.all - created, count.own - created];
  const ownerMax = ownerMaxOf(name, max);
  if (own >= ownerMax) throw tooMany(`You have ${ownerMax} ${words}, which is the maximum per owner.`);
  if (all >= max) throw tooMany(`There are ${max} ${words}, which is the maximum.`);
  const shared = maxFor(limit, max);
  if (all < shared) return;
  throw tooMany(
    `There are at least ${shared} ${words}, which is the maximum while your access is restricted to certain offices.`,
  );
}

function maxOf(name: CreationName): number {
  const { max = Number.POSITIVE_INFINITY }: Creation = creations[name];
  return max;
}

function tooMany(detail: string): RosterError {
  return new RosterError('limit_reached', detail);
}

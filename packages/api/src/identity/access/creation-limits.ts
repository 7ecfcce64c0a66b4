import type { Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { OfficeLimit } from '../../engine/office-limit.ts';
import { RosterError } from '../../errors/roster-error.ts';

/** A resource that clients create, and that is stored until it is deleted or ends. */
interface Creation {
  words: string;
  rows: (now: Date) => RawBuilder<unknown>;
  owner: string;
  /** Of all owners together. Absent for webhooks, which have ROSTER_WEBHOOKS_MAX. */
  max?: number;
  /** Defaults to half of `max`. */
  ownerMax?: number;
}

export const creations = {
  webhooks: { words: 'webhooks', rows: () => sql`webhook`, owner: 'created_by' },
  keys: {
    words: 'keys',
    rows: (now) => sql`api_key where revoked_at is null and (expires_at is null or expires_at > ${now})`,
    owner: 'created_by',
    max: 10_000,
  },
  jobs: {
    words: 'unfinished jobs',
    // Uploads in progress have reserved their job.
    rows: (now) => sql`(
      select created_by from job where finished_at is null
      union all select created_by from upload where import_id is null and expires_at > ${now}
    ) as unfinished`,
    owner: 'created_by',
    max: 100,
  },
  scheduledChanges: {
    words: 'pending scheduled changes',
    rows: () => sql`scheduled_change where status = 'pending'`,
    owner: 'scheduled_by',
    max: 100_000,
  },
  invitations: {
    words: 'open invitations',
    rows: (now) => sql`invitation where accepted_at is null and revoked_at is null and expires_at > ${now}`,
    owner: 'created_by',
    max: 10_000,
    ownerMax: 1_000,
  },
  views: { words: 'views', rows: () => sql`saved_view`, owner: 'created_by', max: 100_000, ownerMax: 200 },
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
  const { words, rows: counted, owner }: Creation = creations[name];
  const { rows } = await sql<{ all: number; own: number }>`
    select count(*)::int as all, (count(*) filter (where ${sql.ref(owner)} = ${caller.id}::uuid))::int as own
    from ${counted(now())}`.execute(db);
  const [count = { all: 0, own: 0 }] = rows;
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

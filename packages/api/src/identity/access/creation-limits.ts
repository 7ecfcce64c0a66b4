import type { Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { OfficeLimit } from '../../engine/office-limit.ts';
import { RosterError } from '../../errors/roster-error.ts';

/** A kind of thing that callers create, and the service keeps until it is deleted or ends. */
interface Creation {
  /** In errors, and in the name of the lock. */
  words: string;
  /** The FROM clause without its keyword: all of them that count. */
  rows: (now: Date) => RawBuilder<unknown>;
  /** The column of who created it. */
  owner: string;
  /** The maximum of all owners together; of webhooks the setting ROSTER_WEBHOOKS_MAX. */
  max?: number;
  /** The maximum of one owner, if it is not half of that. */
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
    // A file that is being received has reserved its job.
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

/** The maximum of one owner if `max` is that of all. */
export function ownerMaxOf(name: CreationName, max: number): number {
  const { ownerMax = Math.ceil(max / 2) }: Creation = creations[name];
  return ownerMax;
}

/** The maximum for a caller: callers with an office limit leave a fifth to those without one. */
export function maxFor(limit: OfficeLimit | undefined, max: number): number {
  return limit === undefined ? max : max - Math.floor(max / 5);
}

/** Takes the lock of a number until the transaction ends, so that two transactions count one after the other. */
export async function lockNumber(trx: Kysely<Database>, words: string): Promise<void> {
  const name = `the number of ${words}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

/** A call that creates something. */
interface Creating {
  caller: { id: string };
  /** The offices to which the caller is limited. */
  limit: OfficeLimit | undefined;
  now: () => Date;
}

/** Options of the check of a number. */
interface CreationCheck {
  /** The maximum, of what has a setting for it. */
  max?: number;
  /** The number that the transaction has created already. */
  created?: number;
}

/**
 * Checks whether a caller may create one more, with a lock until the transaction ends: everyone who creates one waits for it, so little
 * may follow, and nothing that waits for a client or another service. Throws `limit_reached`.
 */
export async function checkCreationLimit(
  trx: Kysely<Database>,
  name: CreationName,
  creating: Creating,
  check?: CreationCheck,
): Promise<void> {
  await lockNumber(trx, creations[name].words);
  await checkNumber(trx, name, creating, check);
}

/** Checks the same without a lock: what others create at the same moment is not counted. Throws `limit_reached`. */
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

/** The maximum of all owners, of what has no setting for it. */
function maxOf(name: CreationName): number {
  const { max = Number.POSITIVE_INFINITY }: Creation = creations[name];
  return max;
}

function tooMany(detail: string): RosterError {
  return new RosterError('limit_reached', detail);
}

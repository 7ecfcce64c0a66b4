import type { Database } from '@roster/db';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { actorJson } from '../access/actors.ts';
import { type Actor, ADMIN_KEY_ID } from '../resources/actor.ts';
import { tableShape } from '../resources/json/record-json.ts';
import type { Listable } from '../resources/list/list-records.ts';
import { deleteInBatches } from '../resources/retention.ts';
import { Session } from './schemas.ts';

type Row = Selectable<Database['session']>;
const column = <Name extends keyof Row>(name: Name): RawBuilder<Row[Name]> => sql.ref(`session.${name}`);

/** The person or the key of a session; that of ROSTER_ADMIN_KEY has no row. */
const ownerId = sql<string>`coalesce(${column('person_id')}, ${column('key_id')}, ${sql.lit(ADMIN_KEY_ID)}::uuid)`;

const sessionShape = tableShape('session', Session, { owner: actorJson(ownerId) as RawBuilder<Actor> });

export const sessions: Listable<Session> = {
  name: 'sessions',
  table: 'session',
  ...sessionShape,
  nameSort: { key: 'createdAt', column: 'created_at' },
};

/** Inserts a session. */
export async function insertSession(
  db: Kysely<Database>,
  session: Omit<Row, 'last_used_at' | 'ended_at'>,
): Promise<void> {
  await db
    .insertInto('session')
    .values({ ...session, last_used_at: session.created_at, ended_at: null })
    .execute();
}

/** The owner of sessions: a person, a key, or ROSTER_ADMIN_KEY by its SHA-256. */
export type SessionOwner = { personId: string } | { keyId: string } | { adminKeyHash: Buffer };

/**
 * Which sessions: one, those that were signed in with a passkey, those of an owner, the oldest of an owner beside a new one and so many others, or those that an identity
 * provider ends by their `sid` or their `iss` and `sub`.
 */
export type SessionSelection =
  | { id: string }
  | { passkeyId: string }
  | SessionOwner
  | { oldestOf: SessionOwner; newId: string; kept: number }
  | { issuer: string; providerSession: string }
  | { issuer: string; subject: string };

function conditionOf(selection: SessionSelection, now: Date): RawBuilder<boolean> {
  if ('oldestOf' in selection) {
    const { oldestOf, newId, kept } = selection;
    return sql`session.id in (
      select id from session
      where ${conditionOf(oldestOf, now)} and id <> ${newId} and ended_at is null and expires_at > ${now}
      order by created_at desc, id desc offset ${sql.lit(kept)})`;
  }
  if ('id' in selection) return sql`session.id = ${selection.id}`;
  if ('passkeyId' in selection) return sql`session.passkey_id = ${selection.passkeyId}`;
  if ('personId' in selection) return sql`session.person_id = ${selection.personId}`;
  if ('keyId' in selection) return sql`session.key_id = ${selection.keyId}`;
  if ('adminKeyHash' in selection) return sql`session.admin_key_hash = ${selection.adminKeyHash}`;
  // A `sid` is unique at its issuer alone.
  const ofPerson = (condition: RawBuilder<boolean>) =>
    sql<boolean>`session.person_id in (select id from person where issuer = ${selection.issuer} and ${condition})`;
  return 'subject' in selection
    ? ofPerson(sql`subject = ${selection.subject}`)
    : sql`session.provider_session = ${selection.providerSession} and ${ofPerson(sql`true`)}`;
}

/** Ends the sessions of a selection that have not ended or expired. Returns them as they are then. */
export async function endSessionRows(
  db: Kysely<Database>,
  selection: SessionSelection,
  now: Date,
): Promise<Session[]> {
  const { rows } = await sql<{ session: Session }>`
    with ended as (
      update session set ended_at = ${now}, id_token = null
      where ${conditionOf(selection, now)} and ended_at is null and expires_at > ${now}
      returning *
    )
    select ${sessionShape.record} as session from ended as session order by session.id`.execute(db);
  return rows.map(({ session }) => session);
}

/**
 * Ends the links of a person that nobody has opened, and the invitations that nobody has accepted. A link that is being opened at this
 * moment gives its session; who accepts an invitation waits for the lock of the person.
 */
export async function endLinksOf(
  db: Kysely<Database>,
  { personId, now }: { personId: string; now: Date },
): Promise<void> {
  await sql`
    update invitation set revoked_at = ${now}
    where person_id = ${personId} and accepted_at is null and revoked_at is null`.execute(db);
  await sql`
    delete from sign_in where hash in (
      select hash from sign_in where kind = 'link' and data ->> 'owner' = ${JSON.stringify({ personId })}
      for update skip locked
    )`.execute(db);
}

/** Lets the sessions of a key expire at a time, unless they expire before. */
export async function expireSessionsOfKey(
  db: Kysely<Database>,
  { keyId, endsAt }: { keyId: string; endsAt: Date },
): Promise<void> {
  await sql`
    update session set expires_at = ${endsAt} where key_id = ${keyId} and expires_at > ${endsAt}`.execute(db);
}

/** The time for which a session is kept after it has ended or expired. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

/** Deletes sessions that ended or expired a day ago. Any number of servers can run it at the same time. */
export function deleteEndedSessions(db: Kysely<Database>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  return deleteInBatches(db, 'session', sql`(expires_at <= ${before} or ended_at <= ${before})`);
}

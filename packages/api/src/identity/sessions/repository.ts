import { constant, type Database, fragment } from '@roster/db';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { actorJson } from '../../access/actors.ts';
import { type Actor, ADMIN_KEY_ID } from '../../engine/actor.ts';
import { tableShape } from '../../engine/json/record-json.ts';
import { isAnyId } from '../../engine/list/filters.ts';
import type { Listable } from '../../engine/list/list-records.ts';
import { deleteInBatches } from '../../engine/retention.ts';
import { Session } from './schemas.ts';

type Row = Selectable<Database['session']>;
const column = <Name extends keyof Row>(name: Name): RawBuilder<Row[Name]> => sql.ref(`session.${name}`);

/** The admin key has no row. */
const ownerId = sql<string>`coalesce(${column('person_id')}, ${column('key_id')}, ${sql.lit(ADMIN_KEY_ID)}::uuid)`;

const sessionShape = tableShape('session', Session, { owner: actorJson(ownerId) as RawBuilder<Actor> });

const isOfAdminKey = fragment(() => sql<boolean>`admin_key_hash is not null`);
const isLive = fragment(() => sql<boolean>`ended_at is null and expires_at > now()`);

interface SessionFilters {
  personId: string;
  keyId: string;
  isLive: true;
}

export const sessions: Listable<Session, SessionFilters> = constant({
  name: 'sessions',
  table: 'session',
  ...sessionShape,
  filters: {
    personId: (id) => isAnyId('person_id', [id]),
    keyId: (id) =>
      id === ADMIN_KEY_ID ? { condition: isOfAdminKey({}), values: {} } : isAnyId('key_id', [id]),
    isLive: () => ({ condition: isLive({}), values: {} }),
  },
});

export function ownerColumns(owner: SessionOwner): Pick<Row, 'person_id' | 'key_id' | 'admin_key_hash'> {
  return {
    person_id: 'personId' in owner ? owner.personId : null,
    key_id: 'keyId' in owner ? owner.keyId : null,
    admin_key_hash: 'adminKeyHash' in owner ? owner.adminKeyHash : null,
  };
}

export function ownerOf({
  person_id,
  key_id,
  admin_key_hash,
}: Pick<Row, 'person_id' | 'key_id' | 'admin_key_hash'>): SessionOwner | undefined {
  if (person_id !== null) return { personId: person_id };
  if (key_id !== null) return { keyId: key_id };
  return admin_key_hash === null ? undefined : { adminKeyHash: admin_key_hash };
}

export function isOf(owner: SessionOwner): RawBuilder<boolean> {
  if ('personId' in owner) return sql`person_id = ${owner.personId}`;
  return 'keyId' in owner ? sql`key_id = ${owner.keyId}` : sql`admin_key_hash = ${owner.adminKeyHash}`;
}

export async function insertSession(
  db: Kysely<Database>,
  session: Omit<Row, 'last_used_at' | 'ended_at'>,
): Promise<void> {
  await db
    .insertInto('session')
    .values({ ...session, last_used_at: session.created_at, ended_at: null })
    .execute();
}

/** A person, a key, or ROSTER_ADMIN_KEY by its SHA-256. */
export type SessionOwner = { personId: string } | { keyId: string } | { adminKeyHash: Buffer };

/**
 * The sessions to end: one; those opened by links of others; those signed in with a passkey; those of an
 * owner; an owner's oldest, to make room for a new one; or those an identity provider names by `sid` or by
 * `iss` and `sub`.
 */
export type SessionSelection =
  | { id: string }
  | { openedBy: readonly string[] }
  | { passkeyId: string }
  | SessionOwner
  | { oldestOf: SessionOwner; newId: string; kept: number }
  | { issuer: string; providerSession: string }
  | { issuer: string; subject: string };

const personOf = (condition: RawBuilder<unknown>, issuer: string) =>
  sql`(select id from person where issuer = ${issuer} and ${condition})`;

function conditionOf(selection: SessionSelection, now: Date): RawBuilder<boolean> {
  if ('oldestOf' in selection) {
    const { oldestOf, newId, kept } = selection;
    // The sessions whose links led to the new one come first, and are kept: it would end with them.
    return sql`id in (
      with recursive above as (
        select opened_by as id from session where id = ${newId} and opened_by is not null
        union all
        select opened_by from session join above using (id) where opened_by is not null
      )
      select id from session
      where ${isOf(oldestOf)} and id <> ${newId} and ended_at is null and expires_at > ${now}
      order by id in (select id from above) desc, created_at desc, id desc offset ${sql.lit(kept)})`;
  }
  if ('id' in selection) return sql`id = ${selection.id}`;
  if ('openedBy' in selection) return sql`opened_by = any(${selection.openedBy}::uuid[])`;
  if ('passkeyId' in selection) return sql`passkey_id = ${selection.passkeyId}`;
  if (!('issuer' in selection)) return isOf(selection);
  // A `sid` is only unique within its issuer.
  return 'subject' in selection
    ? sql`person_id in ${personOf(sql`subject = ${selection.subject}`, selection.issuer)}`
    : sql`provider_session = ${selection.providerSession} and person_id in ${personOf(sql`true`, selection.issuer)}`;
}

/** Older ones first, and so before those their links have opened. */
export async function endSessionRows(
  db: Kysely<Database>,
  selection: SessionSelection,
  now: Date,
): Promise<Session[]> {
  const rows = await db
    .with('live', (one) =>
      one
        .selectFrom('session')
        .select('id')
        .where(conditionOf(selection, now))
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now)
        .orderBy('id')
        .forUpdate(),
    )
    .with('ended', (one) =>
      one
        .updateTable('session')
        .from('live')
        .set({ ended_at: now, id_token: null })
        .whereRef('session.id', '=', 'live.id')
        .returningAll('session'),
    )
    .selectFrom('ended as session')
    .select(sessionShape.record.as('session'))
    .orderBy('session.id')
    .execute();
  return rows.map(({ session }) => session);
}

export type LinkingSession = NonNullable<Awaited<ReturnType<typeof lockLinkingSession>>>;

/** Undefined if the session has ended, expired or been idle for too long. */
export async function lockLinkingSession(
  trx: Kysely<Database>,
  { id, now, idleMs }: { id: string; now: Date; idleMs: number },
) {
  return trx
    .selectFrom('session')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', new Date(now.getTime() - idleMs))
    .select([
      'id',
      'passkey_id as passkeyId',
      'provider_session as providerSession',
      'id_token as idToken',
      'signed_in_at as signedInAt',
      'expires_at as expiresAt',
    ])
    .forShare()
    .executeTakeFirst();
}

/** Also codes for terminals and invitations. Locks the person, as using one of these does first. */
export async function endLinksOf(
  trx: Kysely<Database>,
  { personId, now }: { personId: string; now: Date },
): Promise<void> {
  await trx.selectFrom('person').where('id', '=', personId).select('id').forUpdate().execute();
  await trx
    .updateTable('invitation')
    .set({ revoked_at: now })
    .where('person_id', '=', personId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
  await trx.deleteFrom('sign_in').where('person_id', '=', personId).execute();
}

/** A link of an ended session is already useless, so only the others have to end. */
export async function endSignInsOf(
  trx: Kysely<Database>,
  selection: SessionSelection,
  now: Date,
): Promise<void> {
  if ('personId' in selection) await endLinksOf(trx, { personId: selection.personId, now });
  if (!('issuer' in selection)) return;
  const ofIssuer = trx.selectFrom('person').where('issuer', '=', selection.issuer).select('id');
  if ('providerSession' in selection) {
    await trx
      .deleteFrom('sign_in')
      .where('provider_session', '=', selection.providerSession)
      .where('person_id', 'in', ofIssuer)
      .execute();
    return;
  }
  const found = await ofIssuer.where('subject', '=', selection.subject).execute();
  for (const { id } of found) await endLinksOf(trx, { personId: id, now });
}

/** Ends unopened links. A link being opened has its session by the time this is done. */
export async function endLinksOfKey(trx: Kysely<Database>, keyId: string): Promise<void> {
  await trx.deleteFrom('sign_in').where('key_id', '=', keyId).execute();
}

/** Also ends the key's links. Doesn't extend earlier expiries. */
export async function expireSessionsOfKey(
  db: Kysely<Database>,
  { keyId, endsAt }: { keyId: string; endsAt: Date },
): Promise<void> {
  await endLinksOfKey(db, keyId);
  await db
    .updateTable('session')
    .set({ expires_at: endsAt })
    .where('key_id', '=', keyId)
    .where('expires_at', '>', endsAt)
    .execute();
}

const KEPT_MS = 24 * 60 * 60 * 1_000;

/** Deletes sessions that ended or expired a day ago. Safe on any number of servers. */
export function deleteEndedSessions(db: Kysely<Database>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  return deleteInBatches(db, 'session', sql`(expires_at <= ${before} or ended_at <= ${before})`);
}

import { constant, type Database, fragment } from '@roster/db';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { actorJson } from '../../access/actors.ts';
import { tableShape, timeText } from '../../engine/json/record-json.ts';
import { isAnyId, isTrue } from '../../engine/list/filters.ts';
import type { Listable } from '../../engine/list/list-records.ts';
import { deleteInBatches } from '../../engine/retention.ts';
import { people } from '../people/repository.ts';
import { Invitation, type InvitationMail } from './schemas.ts';

type Row = Selectable<Database['invitation']>;
const column = <Name extends keyof Row>(name: Name): RawBuilder<Row[Name]> => sql.ref(`invitation.${name}`);

const person = sql<Invitation['person']>`(
  select json_build_object('id', person.id, 'name', person.name) from person where person.id = ${column('person_id')})`;

const mail = sql<InvitationMail | null>`(
  case when ${column('mailed_to')} is not null then json_build_object(
    'to', ${column('mailed_to')}, 'sentAt', ${timeText(column('mailed_at'))},
    'isAccepted', ${column('is_mail_accepted')}, 'response', ${column('mail_response')}) end)`;

const isOpen = fragment(() => sql`(accepted_at is null and revoked_at is null and expires_at > now())`);

export const invitations: Listable<Invitation, { personId: string; isOpen: boolean }> = constant({
  name: 'invitations',
  table: 'invitation',
  ...tableShape('invitation', Invitation, { person, createdBy: actorJson(column('created_by')), mail }),
  filters: {
    personId: (id) => isAnyId('person_id', [id]),
    isOpen: isTrue(isOpen({})),
  },
  isWithin: (offices) => sql`exists (
    select from person where person.id = person_id and ${people.isWithin?.(offices) ?? sql`false`})`,
});

export async function insertInvitation(
  db: Kysely<Database>,
  invitation: Pick<Row, 'id' | 'hash' | 'person_id' | 'created_at' | 'created_by' | 'expires_at'>,
): Promise<void> {
  await db.insertInto('invitation').values(invitation).execute();
}

const isOpenAt = (now: Date) =>
  sql<boolean>`accepted_at is null and revoked_at is null and expires_at > ${now}`;

export async function revokeOpen(
  db: Kysely<Database>,
  { personId, id, now }: { personId: string; id?: string; now: Date },
): Promise<void> {
  const open = db.updateTable('invitation').set({ revoked_at: now }).where(isOpenAt(now));
  const which = id === undefined ? open.where('person_id', '=', personId) : open.where('id', '=', id);
  await which.execute();
}

export async function findOpen(db: Kysely<Database>, { hash, now }: { hash: Buffer; now: Date }) {
  return db
    .selectFrom('invitation')
    .where('hash', '=', hash)
    .where(isOpenAt(now))
    .select(['id', 'person_id as personId', 'expires_at as expiresAt'])
    .executeTakeFirst();
}

export async function acceptOpen(
  db: Kysely<Database>,
  { id, now }: { id: string; now: Date },
): Promise<boolean> {
  const open = db.updateTable('invitation').where('id', '=', id).where(isOpenAt(now));
  const { numUpdatedRows } = await open.set({ accepted_at: now }).executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function recordMail(
  db: Kysely<Database>,
  { id, to, now }: { id: string; to: string; now: Date },
): Promise<void> {
  await db.updateTable('invitation').set({ mailed_to: to, mailed_at: now }).where('id', '=', id).execute();
}

export async function recordMailResponse(
  db: Kysely<Database>,
  { id, isAccepted, response }: { id: string; isAccepted: boolean; response: string },
): Promise<void> {
  await db
    .updateTable('invitation')
    .set({ is_mail_accepted: isAccepted, mail_response: response })
    .where('id', '=', id)
    .execute();
}

/** Days for which an invitation is kept after it was used or has ended. */
export const KEPT_DAYS = 90;

/** Deletes invitations that are no longer kept. Safe on any number of servers. */
export function deleteEndedInvitations(db: Kysely<Database>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  return deleteInBatches(db, 'invitation', sql`least(expires_at, accepted_at, revoked_at) <= ${before}`);
}

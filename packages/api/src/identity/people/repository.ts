import { constant, type Database, type StoredGrant } from '@roster/db';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { changeRow } from '../../access/access-rows.ts';
import { actorJson } from '../../access/actors.ts';
import { tableShape } from '../../engine/json/record-json.ts';
import type { Listable } from '../../engine/list/list-records.ts';
import { withoutCaseSql } from '../../engine/sameness/sql.ts';
import { endLinksOf } from '../sessions/repository.ts';
import { Person } from './schemas.ts';

type Row = Selectable<Database['person']>;
const column = <Name extends keyof Row>(name: Name): RawBuilder<Row[Name]> => sql.ref(`person.${name}`);

/** In the field order of the API, which jsonb does not keep. */
const grants = sql<StoredGrant[]>`(
  select coalesce(json_agg(json_build_object('role', held -> 'role', 'officeIds', held -> 'officeIds') order by number), '[]')
  from jsonb_array_elements(${column('grants')}) with ordinality as held_grant (held, number))`;

const ownWay = sql<Person['signInWay']>`(case
  when exists (select from passkey where passkey.person_id = ${column('id')}) then 'passkey'
  when exists (
    select from invitation
    where invitation.person_id = ${column('id')} and accepted_at is null and revoked_at is null and expires_at > now()
  ) then 'invitation'
  else 'none' end)`;

const listable = (name: string, signInWay: RawBuilder<Person['signInWay']>): Listable<Person> => ({
  name,
  table: 'person',
  ...tableShape('person', Person, { signInWay, grants, createdBy: actorJson(column('created_by')) }),
  // All grants must be within the limit. Null (everything) is in no array.
  isWithin: (offices) => sql`not exists (
    select from jsonb_array_elements(grants) as held
    where (held -> 'officeIds' <@ to_jsonb(${offices}::uuid[])) is not true)`,
});

export const people = constant(listable('people', ownWay));
const peopleAtProvider = constant(listable('people at a provider', sql`'provider'`));

export function peopleOf({ hasProvider }: { hasProvider: boolean }): Listable<Person> {
  return hasProvider ? peopleAtProvider : people;
}

export interface Identity {
  issuer: string;
  subject: string;
}

interface PersonValues {
  id: string;
  name: string;
  email: string;
  status: Row['status'];
  grants: readonly StoredGrant[];
  identity?: Identity | undefined;
  createdBy: string | null;
  now: Date;
}

export async function insertPerson(
  db: Kysely<Database>,
  { id, name, email, status, grants: held, identity, createdBy, now }: PersonValues,
): Promise<void> {
  await db
    .insertInto('person')
    .values({
      id,
      name,
      email,
      status,
      grants: JSON.stringify(held),
      issuer: identity?.issuer ?? null,
      subject: identity?.subject ?? null,
      created_at: now,
      created_by: createdBy,
      updated_at: now,
    })
    .execute();
}

export interface PersonChange {
  name?: string | undefined;
  email?: string | undefined;
  status?: Row['status'] | undefined;
  grants?: readonly StoredGrant[] | undefined;
  issuer?: string | undefined;
  subject?: string | undefined;
}

/** New grants or a new address end links: their creator may lack the rights, the old address may have them. */
export async function changePerson(
  db: Kysely<Database>,
  { id, now, grants: held, ...columns }: PersonChange & { id: string; now: Date },
): Promise<void> {
  const values = { ...columns, grants: held && JSON.stringify(held) };
  await changeRow(db, 'person', { id, now, values });
  if (held !== undefined || columns.email !== undefined) await endLinksOf(db, { personId: id, now });
}

/** Records a sign-in, which activates an invited person. Returns false if the person is inactive or gone. */
export async function recordSignIn(
  db: Kysely<Database>,
  { id, now }: { id: string; now: Date },
): Promise<boolean> {
  const person = await db
    .updateTable('person')
    .set({ last_signed_in_at: now })
    .where('id', '=', id)
    .where('status', '<>', 'inactive')
    .returning('status')
    .executeTakeFirst();
  // A separate update, because changing the status empties the cache of callers on every server.
  if (person?.status === 'invited') {
    const invited = db.updateTable('person').where('id', '=', id).where('status', '=', 'invited');
    await invited.set({ status: 'active' }).execute();
  }
  return person !== undefined;
}

export type LockedPerson = Pick<Row, 'id' | 'status' | 'grants'>;

export async function lockPerson(db: Kysely<Database>, id: string): Promise<LockedPerson | undefined> {
  return db
    .selectFrom('person')
    .where('id', '=', id)
    .select(['id', 'status', 'grants'])
    .forUpdate()
    .executeTakeFirst();
}

export async function idOfIdentity(
  db: Kysely<Database>,
  { issuer, subject }: Identity,
): Promise<string | undefined> {
  const person = await db
    .selectFrom('person')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .select('id')
    .executeTakeFirst();
  return person?.id;
}

/** By Unicode rules other letters would match, such as the Kelvin sign (U+212A) for k. */
const asciiLower = (text: RawBuilder<unknown>) => sql`lower(${text} collate "C")`;

/** In the form of the index. */
const hasEmail = (email: string) =>
  sql<boolean>`${withoutCaseSql(sql`email`)} = ${withoutCaseSql(sql`${email}::text`)}`;

/** Only people who never signed in at a provider. */
export async function idOfUnlinkedEmail(db: Kysely<Database>, email: string): Promise<string | undefined> {
  const person = await db
    .selectFrom('person')
    .where(hasEmail(email))
    .where(asciiLower(sql`email`), '=', asciiLower(sql`${email}::text`))
    .where('issuer', 'is', null)
    .select('id')
    .forUpdate()
    .executeTakeFirst();
  return person?.id;
}

/** Locks the person. */
export async function lockActivePerson(
  trx: Kysely<Database>,
  { email }: { email: string },
): Promise<Pick<Row, 'id' | 'name' | 'email'> | undefined> {
  return trx
    .selectFrom('person')
    .where(hasEmail(email))
    .where('status', '=', 'active')
    .select(['id', 'name', 'email'])
    .forUpdate()
    .executeTakeFirst();
}

export async function hasOtherAdmin(db: Kysely<Database>, id: string): Promise<boolean> {
  const other = await db
    .selectFrom('person')
    .where('id', '<>', id)
    .where('status', '=', 'active')
    .where(sql<boolean>`grants @> '[{"role": "admin", "officeIds": null}]'`)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { limitFor } from '../../access/caller.ts';
import { lockNumber } from '../../access/creation-limits.ts';
import { checkOffices } from '../../access/office-ids.ts';
import { checkGivenRights, checkMayChange, checkNeverExpires, rightsOfGrants } from '../../access/rights.ts';
import type { Grant } from '../../access/roles.ts';
import { noRecordError, requireRecord } from '../../engine/list/find-record.ts';
import { newId } from '../../engine/new-id.ts';
import type { OfficeLimit } from '../../engine/office-limit.ts';
import { inTransaction } from '../../engine/write/transaction.ts';
import { RosterError } from '../../errors/roster-error.ts';
import { writeAdminEvent } from '../../log/admin-events.ts';
import type { AdminVerb } from '../../log/types.ts';
import { causeOf } from '../../records/service.ts';
import type { CallContext } from '../../trpc/context.ts';
import { endSessions } from '../sessions/service.ts';
import {
  changePerson,
  hasOtherAdmin,
  insertPerson,
  type LockedPerson,
  lockPerson,
  people,
  peopleOf,
} from './repository.ts';
import type { NewPerson, Person, PersonPatch } from './schemas.ts';
import type { SignInCollaborators, SignInContext } from './sign-in-ways.ts';

/**
 * Under a limit, people with a grant for other offices are not found. Throws `not_found`.
 *
 * @param signIn whether the service has an identity provider
 */
export async function getPerson(
  db: Kysely<Database>,
  one: { id: string; limit: OfficeLimit | undefined },
  signIn = { hasProvider: false },
): Promise<Person> {
  return requireRecord(db, peopleOf(signIn), one);
}

/** Throws `insufficient_scope` or `reference_not_found` for grants out of the limit. */
async function checkGrants({ caller, limit }: CallContext, db: Kysely<Database>, grants: Grant[]) {
  const fields = grants.map(({ officeIds }, index) => ({
    pointer: `#/grants/${index}/officeIds`,
    officeIds,
  }));
  await checkOffices(db, limit, fields);
  checkGivenRights(caller, rightsOfGrants(grants));
  checkNeverExpires(caller);
}

/** Throws `insufficient_scope`, `reference_not_found`, `person_email_taken`. */
export async function invitePerson(ctx: SignInContext, { name, email, grants }: NewPerson): Promise<Person> {
  const cause = causeOf(ctx);
  const { now } = cause;
  return inTransaction(ctx.db, async (trx) => {
    await checkGrants(ctx, trx, grants);
    const id = newId(now);
    const createdBy = ctx.caller.id;
    await insertPerson(trx, { id, name, email, grants, status: 'invited', createdBy, now });
    const after = await getPerson(trx, { id, limit: undefined }, ctx.signIn);
    await writeAdminEvent(trx, { type: 'person.invited', after, cause });
    return after;
  });
}

/** Locks a person that the caller may change. Throws `not_found`, `insufficient_scope`. */
export async function lockForChange(
  ctx: Pick<CallContext, 'caller' | 'limit'> & Partial<SignInCollaborators>,
  trx: Kysely<Database>,
  id: string,
) {
  const locked = await lockPerson(trx, id);
  if (locked === undefined) throw noRecordError(people, id);
  const before = await getPerson(trx, { id, limit: ctx.limit }, ctx.signIn);
  checkMayChange(ctx.caller, rightsOfGrants(locked.grants), 'a person');
  return { locked, before };
}

/** Writes an event if the person has changed. Throws `not_found`, `insufficient_scope`. */
async function changeLockedPerson(
  ctx: SignInContext,
  { id, verb }: { id: string; verb: AdminVerb<'person'> },
  change: (trx: Kysely<Database>, person: LockedPerson, before: Person) => Promise<void>,
): Promise<Person> {
  return inTransaction(ctx.db, async (trx) => {
    const { locked, before } = await lockForChange(ctx, trx, id);
    await change(trx, locked, before);
    const after = await getPerson(trx, { id, limit: undefined }, ctx.signIn);
    await writeAdminEvent(trx, { type: `person.${verb}`, before, after, cause: causeOf(ctx) });
    return after;
  });
}

function isAdmin({ status, grants }: Pick<LockedPerson, 'status' | 'grants'>): boolean {
  return status === 'active' && grants.some(({ role, officeIds }) => role === 'admin' && officeIds === null);
}

/** Throws `last_admin`. A key may remove the last admin, because it can create another. */
async function checkAdminRemains(
  { caller }: CallContext,
  trx: Kysely<Database>,
  { before, after }: { before: LockedPerson; after: Pick<LockedPerson, 'status' | 'grants'> },
): Promise<void> {
  if (caller.type === 'key' || !isAdmin(before) || isAdmin(after)) return;
  // One at a time, or two admins could remove each other.
  await lockNumber(trx, 'admins');
  if (!(await hasOtherAdmin(trx, before.id)))
    throw new RosterError('last_admin', 'No other person who has signed in has the unrestricted role admin.');
}

/** Throws `not_found`, `insufficient_scope`, `reference_not_found`, `person_email_taken`, `last_admin`. */
export async function updatePerson(ctx: SignInContext, { id, ...patch }: PersonPatch): Promise<Person> {
  const { email, grants } = patch;
  return changeLockedPerson(ctx, { id, verb: 'updated' }, async (trx, before) => {
    if (grants !== undefined) {
      await checkGrants(ctx, trx, grants);
      await checkAdminRemains(ctx, trx, { before, after: { ...before, grants } });
    }
    // The address signs in with the person's rights.
    if (email !== undefined) checkNeverExpires(ctx.caller);
    await changePerson(trx, { id, now: ctx.now(), ...patch });
  });
}

/** Also ends the person's sessions. Throws `not_found`, `last_admin`. */
export async function deactivatePerson(ctx: SignInContext, id: string): Promise<Person> {
  return changeLockedPerson(ctx, { id, verb: 'deactivated' }, async (trx, before) => {
    await checkAdminRemains(ctx, trx, { before, after: { ...before, status: 'inactive' } });
    await changePerson(trx, { id, now: ctx.now(), status: 'inactive' });
    await endSessions(trx, { personId: id }, causeOf(ctx));
  });
}

/** Throws `not_found`, `insufficient_scope`. */
export async function reactivatePerson(ctx: SignInContext, id: string): Promise<Person> {
  return changeLockedPerson(ctx, { id, verb: 'reactivated' }, async (trx, { status }, { lastSignedInAt }) => {
    if (status !== 'inactive') return;
    checkNeverExpires(ctx.caller);
    const next = lastSignedInAt === null ? 'invited' : 'active';
    await changePerson(trx, { id, now: ctx.now(), status: next });
  });
}

/** Also ends the person's sessions. Throws `not_found`, `insufficient_scope`, `last_admin`. */
export async function deletePerson(ctx: SignInContext, id: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { locked, before } = await lockForChange(ctx, trx, id);
    await checkAdminRemains(ctx, trx, { before: locked, after: { status: 'inactive', grants: [] } });
    await endSessions(trx, { personId: id }, causeOf(ctx));
    await trx.deleteFrom('person').where('id', '=', id).execute();
    await writeAdminEvent(trx, { type: 'person.deleted', after: before, cause: causeOf(ctx) });
  });
}

/** Of the caller, or with `people:manage` of another person. Throws `not_found`, `insufficient_scope`. */
export async function revokeSessionsOf(ctx: SignInContext, id: string): Promise<Person> {
  const { caller } = ctx;
  return inTransaction(ctx.db, async (trx) => {
    const isSelf = caller.type === 'person' && caller.id === id;
    const limit = isSelf ? undefined : limitFor(caller, { scope: 'people:manage' });
    const person = await getPerson(trx, { id, limit }, ctx.signIn);
    if (!isSelf) checkMayChange(caller, rightsOfGrants(person.grants), 'a person');
    await endSessions(trx, { personId: id }, causeOf(ctx));
    return person;
  });
}

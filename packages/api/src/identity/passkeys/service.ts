import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { limitFor } from '../../access/caller.ts';
import { lockNumber } from '../../access/creation-limits.ts';
import { noRecordError, requireRecord } from '../../engine/list/find-record.ts';
import { listPage, type Page } from '../../engine/list/list-records.ts';
import { newId } from '../../engine/new-id.ts';
import type { ChangeCause } from '../../engine/outbox/event-outbox.ts';
import { inTransaction } from '../../engine/write/transaction.ts';
import { isFound, isNotFound, RosterError } from '../../errors/roster-error.ts';
import { writeAdminEvent } from '../../log/admin-events.ts';
import { causeOf } from '../../records/service.ts';
import type { CallContext } from '../../trpc/context.ts';
import { lockPerson } from '../people/repository.ts';
import { getPerson, lockForChange } from '../people/service.ts';
import { endSessions } from '../sessions/service.ts';
import { type Credential, countPasskeys, passkeys } from './repository.ts';
import type { Passkey, PasskeyPatch, PasskeyQuery } from './schemas.ts';

export const PASSKEYS_MAX = 10;

function isSelf({ caller }: Pick<CallContext, 'caller'>, personId: string): boolean {
  return caller.type === 'person' && caller.id === personId;
}

/** Throws `not_found`. */
function getPasskey(db: Kysely<Database>, id: string): Promise<Passkey> {
  return requireRecord(db, passkeys, { id, limit: undefined });
}

/** Throws `insufficient_scope` for another person's, `invalid_cursor`, `cursor_mismatch`. */
export async function listPasskeys(
  ctx: CallContext,
  { personId = ctx.caller.id, ...page }: z.output<typeof PasskeyQuery>,
): Promise<Page<Passkey>> {
  if (personId !== ctx.caller.id) {
    const limit = limitFor(ctx.caller, { scope: 'people:manage' });
    if (!(await isFound(getPerson(ctx.db, { id: personId, limit })))) return { items: [] };
  }
  const input = { ...page, personId };
  return listPage(ctx.db, { resource: passkeys, input, limit: undefined });
}

/** Also locks the person. Throws `not_found`, `insufficient_scope`. */
async function lockPasskey(ctx: CallContext, trx: Kysely<Database>, id: string): Promise<Passkey> {
  const passkey = await getPasskey(trx, id);
  if (isSelf(ctx, passkey.personId)) {
    // Signing in, and opening a link of such a session, lock the person first too.
    await lockPerson(trx, passkey.personId);
    return getPasskey(trx, id);
  }
  if (!ctx.caller.scopes.includes('people:manage')) throw noRecordError(passkeys, id);
  const limit = limitFor(ctx.caller, { scope: 'people:manage' });
  await lockForChange({ ...ctx, limit }, trx, passkey.personId).catch((error: unknown) => {
    throw isNotFound(error) ? noRecordError(passkeys, id) : error;
  });
  return getPasskey(trx, id);
}

/** Throws `not_found`, `insufficient_scope`. */
export function readPasskeyToChange(ctx: CallContext, id: string): Promise<Passkey> {
  return inTransaction(ctx.db, (trx) => lockPasskey(ctx, trx, id));
}

/** Throws `not_found`, `insufficient_scope`. */
export async function updatePasskey(ctx: CallContext, { id, name }: PasskeyPatch): Promise<Passkey> {
  return inTransaction(ctx.db, async (trx) => {
    const before = await lockPasskey(ctx, trx, id);
    if (name !== undefined) await trx.updateTable('passkey').set({ name }).where('id', '=', id).execute();
    const after = await getPasskey(trx, id);
    await writeAdminEvent(trx, { type: 'passkey.updated', before, after, cause: causeOf(ctx) });
    return after;
  });
}

/** Ends its sessions and those their links opened. Throws `not_found`, `insufficient_scope`. */
export async function deletePasskey(ctx: CallContext, id: string): Promise<void> {
  const cause = causeOf(ctx);
  await inTransaction(ctx.db, async (trx) => {
    const after = await lockPasskey(ctx, trx, id);
    await endSessions(trx, { passkeyId: id }, cause);
    await trx.deleteFrom('passkey').where('id', '=', id).execute();
    await writeAdminEvent(trx, { type: 'passkey.deleted', after, cause });
  });
}

interface NewPasskey extends Credential, Pick<ChangeCause, 'now' | 'requestId'> {
  personId: string;
  name: string;
}

/**
 * Writes the event `passkey.created` with the person as its actor. Throws `limit_reached` if the person has
 * 10, and an error of PostgreSQL for a known credential.
 *
 * @param trx A transaction
 */
export async function createPasskey(
  trx: Kysely<Database>,
  { personId, name, now, requestId, ...credential }: NewPasskey,
): Promise<Passkey> {
  await lockNumber(trx, `passkeys of ${personId}`);
  if ((await countPasskeys(trx, personId)) >= PASSKEYS_MAX)
    throw new RosterError('limit_reached', `The person has ${PASSKEYS_MAX} passkeys, which is the maximum.`);
  const id = newId(now);
  await trx
    .insertInto('passkey')
    .values({
      id,
      person_id: personId,
      name,
      created_at: now,
      credential_id: Buffer.from(credential.credentialId, 'base64url'),
      public_key: Buffer.from(credential.publicKey),
      counter: String(credential.counter),
      transports: [...credential.transports],
      is_synced: credential.isSynced,
    })
    .execute();
  const after = await getPasskey(trx, id);
  await writeAdminEvent(trx, {
    type: 'passkey.created',
    after,
    cause: { now, requestId, actorId: personId },
  });
  return after;
}

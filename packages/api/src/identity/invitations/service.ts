import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { checkCreationLimit } from '../../access/creation-limits.ts';
import { checkNeverExpires } from '../../access/rights.ts';
import { hashOf, randomSecret } from '../../access/secret.ts';
import { requireRecord } from '../../engine/list/find-record.ts';
import { newId } from '../../engine/new-id.ts';
import type { ChangeCause } from '../../engine/outbox/event-outbox.ts';
import { inTransaction } from '../../engine/write/transaction.ts';
import { invalidInput, RosterError } from '../../errors/roster-error.ts';
import { writeAdminEvent } from '../../log/admin-events.ts';
import { causeOf } from '../../records/service.ts';
import type { CallContext } from '../../trpc/context.ts';
import { lockPerson, recordSignIn } from '../people/repository.ts';
import type { Person } from '../people/schemas.ts';
import { getPerson, lockForChange } from '../people/service.ts';
import type { SignInContext } from '../people/sign-in-ways.ts';
import {
  acceptOpen,
  findOpen,
  insertInvitation,
  invitations,
  recordMail,
  recordMailResponse,
  revokeOpen,
} from './repository.ts';
import type { Invitation, InvitationWithLink, NewInvitation } from './schemas.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Longer responses of a mail server are truncated. */
const RESPONSE_LENGTH_MAX = 500;

/** The secret follows `#`, so that no log and no other site gets it. */
function linkUrl(origin: string, secret: string): string {
  return `${origin}/console/invitation#${secret}`;
}

/** Throws `link_unavailable` if links don't work on this service. */
function requireLinkOrigin({ request, signIn }: SignInContext): string {
  if (signIn.hasProvider)
    throw unavailable('People sign in at the identity provider, which controls access.');
  if (!signIn.isConsoleServed)
    throw unavailable('The page that accepts invitations is part of the console. Set ROSTER_CONSOLE.');
  const origin = request.passkeyOrigin() ?? request.ownOrigin();
  if (origin !== undefined) return origin;
  throw unavailable('Without ROSTER_PUBLIC_URL, links can only be created from a loopback address.');
}

function unavailable(detail: string): RosterError {
  return new RosterError('link_unavailable', detail);
}

function requireMail({ signIn: { sendInvitation } }: SignInContext) {
  if (sendInvitation !== undefined) return sendInvitation;
  const detail = 'needs a mail server, but none is set (ROSTER_SMTP_URL)';
  throw invalidInput({ pointer: '#/isMailed', code: 'not_allowed', detail });
}

/**
 * Creates a link for a person, replacing an earlier one. It signs its user in as that person, so the caller
 * must have all the person's rights. If it is mailed, the result has the mail server's response; the link works
 * in any case. Throws `not_found`, `insufficient_scope`, `link_unavailable`, `limit_reached`, and
 * `validation_failed` without a mail server.
 */
export async function createInvitation(
  ctx: SignInContext,
  { personId, days, isMailed }: NewInvitation,
): Promise<InvitationWithLink> {
  const origin = requireLinkOrigin(ctx);
  const send = isMailed ? requireMail(ctx) : undefined;
  const secret = randomSecret();
  const { invitation, person } = await storeInvitation(ctx, { personId, days, secret, isMailed });
  const link = linkUrl(origin, secret);
  if (send === undefined) return { ...invitation, link };
  const { id, expiresAt } = invitation;
  const { caller, request, db } = ctx;
  const letter = {
    to: { name: person.name, address: person.email },
    link,
    expiresAt,
    invitedBy: caller.name,
  };
  const { isAccepted, response } = await request
    .callOut(() => send(letter))
    .catch((error: unknown) => ({
      isAccepted: false,
      response: error instanceof Error ? error.message : String(error),
    }));
  const shown = response.slice(0, RESPONSE_LENGTH_MAX).replaceAll('\0', '').toWellFormed();
  await recordMailResponse(db, { id, isAccepted, response: shown });
  return { ...(await requireRecord(db, invitations, { id, limit: undefined })), link };
}

interface StoredInvitation {
  personId: string;
  days: number;
  secret: string;
  isMailed: boolean;
}

async function storeInvitation(
  ctx: CallContext,
  { personId, days, secret, isMailed }: StoredInvitation,
): Promise<{ invitation: Invitation; person: Person }> {
  const cause = causeOf(ctx);
  const { now } = cause;
  return inTransaction(ctx.db, async (trx) => {
    const { before: person } = await lockForChange(ctx, trx, personId);
    checkNeverExpires(ctx.caller);
    if (person.status === 'inactive')
      throw unavailable('The person is inactive and cannot sign in. Reactivate them first.');
    await revokeOpen(trx, { personId, now });
    await checkCreationLimit(trx, 'invitations', ctx);
    const id = newId(now);
    await insertInvitation(trx, {
      id,
      hash: hashOf(secret),
      person_id: personId,
      created_by: ctx.caller.id,
      created_at: now,
      expires_at: new Date(now.getTime() + days * DAY_MS),
    });
    if (isMailed) await recordMail(trx, { id, to: person.email, now });
    const after = await requireRecord(trx, invitations, { id, limit: undefined });
    await writeAdminEvent(trx, { type: 'invitation.created', after, cause });
    return { invitation: after, person };
  });
}

/** Returns an invitation that has ended unchanged. Throws `not_found`, `insufficient_scope`. */
export async function revokeInvitation(ctx: CallContext, id: string): Promise<Invitation> {
  const cause = causeOf(ctx);
  return inTransaction(ctx.db, async (trx) => {
    const { person } = await requireRecord(trx, invitations, { id, limit: ctx.limit });
    await lockForChange(ctx, trx, person.id);
    const before = await requireRecord(trx, invitations, { id, limit: ctx.limit });
    await revokeOpen(trx, { personId: person.id, id, now: cause.now });
    const after = await requireRecord(trx, invitations, { id, limit: undefined });
    if (after.revokedAt !== before.revokedAt)
      await writeAdminEvent(trx, { type: 'invitation.revoked', before, after, cause });
    return after;
  });
}

export interface OpenInvitation {
  id: string;
  person: Pick<Person, 'id' | 'name' | 'email'>;
  expiresAt: Date;
}

export async function findInvitation(
  db: Kysely<Database>,
  { secret, now }: { secret: string; now: Date },
): Promise<OpenInvitation | undefined> {
  const open = await findOpen(db, { hash: hashOf(secret), now });
  if (open === undefined) return undefined;
  const person = await getPerson(db, { id: open.personId, limit: undefined });
  return person.status === 'inactive' ? undefined : { ...open, person };
}

/**
 * Uses an invitation once, and records that its person signs in. Returns the person's ID; undefined if the
 * invitation is unknown, used or ended, or the person is inactive.
 *
 * @param trx A transaction
 */
export async function acceptInvitation(
  trx: Kysely<Database>,
  { secret, now, requestId }: { secret: string } & Pick<ChangeCause, 'now' | 'requestId'>,
): Promise<string | undefined> {
  const open = await findOpen(trx, { hash: hashOf(secret), now });
  // The person first, as in every change of a person.
  if (open === undefined || (await lockPerson(trx, open.personId)) === undefined) return undefined;
  const { id, personId } = open;
  const before = await requireRecord(trx, invitations, { id, limit: undefined });
  if (!(await acceptOpen(trx, { id, now })) || !(await recordSignIn(trx, { id: personId, now })))
    return undefined;
  const after = await requireRecord(trx, invitations, { id, limit: undefined });
  await writeAdminEvent(trx, {
    type: 'invitation.accepted',
    before,
    after,
    cause: { now, requestId, actorId: personId },
  });
  return personId;
}

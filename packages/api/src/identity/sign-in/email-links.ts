import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { randomSecret } from '../../access/secret.ts';
import { newId } from '../../engine/new-id.ts';
import { RosterError } from '../../errors/roster-error.ts';
import { lockActivePerson, lockPerson } from '../people/repository.ts';
import { countEmailLinks, endEmailLinks, readSignIn, storeSignIn, takeSignIn } from './repository.ts';
import { FIRST_PERSON } from './service.ts';

/** The time in which a link works, and in which a person gets at most so many. */
export const EMAIL_LINK_MS = 15 * 60 * 1_000;
export const EMAIL_LINKS_MAX = 5;

interface LinkData {
  personId: string;
  /** The SHA-256 of the cookie of the browser that asked for the link. */
  browser: string;
}

/** A link to send. The secret is shown only here. */
export interface EmailLink {
  to: { name: string; address: string };
  secret: string;
  expiresAt: Date;
}

/**
 * Stores a link to an active person, which replaces earlier ones. Returns undefined if nothing is to be sent:
 * nobody active has the address, or the person got five links within 15 minutes. The statements are the same
 * then, so that the time tells nobody who has access.
 */
export async function storeEmailLink(
  db: Kysely<Database>,
  { email, browser, now }: { email: string; browser: string; now: Date },
): Promise<EmailLink | undefined> {
  const secret = randomSecret();
  const nobody = newId(now);
  const person = await db.transaction().execute(async (trx) => {
    const found = await lockActivePerson(trx, { email });
    const sent = await countEmailLinks(trx, { personId: found?.id ?? nobody, now });
    const isSent = found !== undefined && sent < EMAIL_LINKS_MAX && found.email !== FIRST_PERSON.email;
    const personId = isSent ? found.id : nobody;
    await endEmailLinks(trx, { personId });
    const data: LinkData = { personId, browser };
    const owner = isSent ? { personId } : undefined;
    await storeSignIn(trx, { kind: 'email', secret, data, owner, now, lifetimeMs: EMAIL_LINK_MS });
    return isSent ? found : undefined;
  });
  if (person === undefined) return undefined;
  const to = { name: person.name, address: person.email };
  return { to, secret, expiresAt: new Date(now.getTime() + EMAIL_LINK_MS) };
}

/**
 * Takes a link once and returns the ID of its person. Throws `sign_in_failed` if the link is unknown, used,
 * replaced or expired, or was asked for in a different browser, in which case it keeps working in that one.
 *
 * @param trx A transaction
 */
export async function takeEmailLink(
  trx: Kysely<Database>,
  { secret, browser, now }: { secret: string; browser: string | undefined; now: Date },
): Promise<string> {
  const link = { secret, kind: 'email', now } as const;
  const found = await readSignIn<Partial<LinkData>>(trx, link);
  if (found?.personId === undefined) throw ended();
  if (found.browser !== browser)
    throw failed('Open the link in the browser in which you asked for it, or ask for a new one here.');
  // The person first, as where links are ended.
  await lockPerson(trx, found.personId);
  const taken = await takeSignIn<Partial<LinkData>>(trx, link);
  if (taken?.personId === undefined) throw ended();
  return taken.personId;
}

function ended(): RosterError {
  return failed(
    'The link is unknown, was used or replaced by a newer one, is older than 15 minutes, or its person was changed since. Ask for a new one.',
  );
}

function failed(detail: string): RosterError {
  return new RosterError('sign_in_failed', detail);
}

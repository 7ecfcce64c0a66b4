import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { findRecord, requireRecord } from '../../engine/list/find-record.ts';
import type { ChangeCause } from '../../engine/outbox/event-outbox.ts';
import { inTransaction } from '../../engine/write/transaction.ts';
import { RosterError } from '../../errors/roster-error.ts';
import { writeAdminEvents } from '../../events/log/admin-events.ts';
import { lockNumber } from '../access/creation-limits.ts';
import { hashOf } from '../access/secret.ts';
import { newSessionToken } from '../access/session-callers.ts';
import {
  endSessionRows,
  endSignInsOf,
  insertSession,
  type LinkingSession,
  ownerColumns,
  type SessionOwner,
  type SessionSelection,
  sessions,
} from './repository.ts';
import type { Session, SessionMethod } from './schemas.ts';

/** The sessions of one owner that have not ended. */
export const SESSIONS_MAX = 50;
/** The longest description of a client that is stored. */
const CLIENT_LENGTH_MAX = 200;

export type NewSession = SessionOwner & {
  method: SessionMethod;
  /** The client that signs in: the User-Agent, of which the beginning is stored. */
  client: string | undefined;
  /** The session whose link opens it: it ends with that one at the latest, and is signed in as that one is. */
  openedBy?: LinkingSession | undefined;
  /** The passkey with which it is signed in. */
  passkeyId?: string | undefined;
  /** The `sid` of the session at the identity provider, and the ID token, which its logout asks for. */
  providerSession?: string | undefined;
  idToken?: string | undefined;
  now: Date;
  /** When it ends, however much it is used. */
  lifetimeMs: number;
  requestId?: string | undefined;
};

/** A session with its token, which is shown only here. */
export interface CreatedSession {
  id: string;
  token: string;
  expiresAt: Date;
  /** Whether it has ended the oldest session of its owner: then `invalidateKeys` is to be called after the commit. */
  hasEndedOldest: boolean;
}

/** The name of the lock of an owner's sessions. */
function sessionsOf(owner: SessionOwner): string {
  if ('personId' in owner) return `sessions of ${owner.personId}`;
  return 'keyId' in owner
    ? `sessions of ${owner.keyId}`
    : `sessions of ${owner.adminKeyHash.toString('hex')}`;
}

/** The columns of the sign-in of a session: of its own one, or of that of the session whose link opens it. */
function signInColumns({ openedBy, passkeyId, providerSession, idToken, now }: NewSession) {
  return {
    opened_by: openedBy?.id ?? null,
    passkey_id: openedBy?.passkeyId ?? passkeyId ?? null,
    provider_session: openedBy?.providerSession ?? providerSession ?? null,
    id_token: openedBy?.idToken ?? idToken ?? null,
    signed_in_at: openedBy?.signedInAt ?? now,
  };
}

/**
 * Creates a session and writes the event `session.created`, whose actor is its owner, in the same transaction. If the owner has 50 already,
 * the oldest ends, but not the one whose link opens this one. Throws `sign_in_failed` if all 50 go back to each other's links.
 */
export async function createSession(db: Kysely<Database>, session: NewSession): Promise<CreatedSession> {
  const { method, client, openedBy, now, lifetimeMs, requestId = null } = session;
  const id = uuidv7({ msecs: now.getTime() });
  const token = newSessionToken();
  const endsAtMs = openedBy?.expiresAt.getTime() ?? Number.POSITIVE_INFINITY;
  const expiresAt = new Date(Math.min(now.getTime() + lifetimeMs, endsAtMs));
  const hasEndedOldest = await inTransaction(db, async (trx) => {
    await lockNumber(trx, sessionsOf(session));
    await insertSession(trx, {
      id,
      hash: hashOf(token),
      method,
      client: client?.slice(0, CLIENT_LENGTH_MAX).toWellFormed() ?? null,
      ...ownerColumns(session),
      ...signInColumns(session),
      created_at: now,
      expires_at: expiresAt,
    });
    const after = await requireRecord(trx, sessions, { id, limit: undefined });
    const cause = { now, requestId, actorId: after.owner.id };
    const oldest = { oldestOf: session, newId: id, kept: SESSIONS_MAX - 1 };
    const ended = await endSessions(trx, oldest, cause);
    if (ended.some((one) => one.id === id))
      throw new RosterError('sign_in_failed', 'Too many links were opened in a row. Sign in again.');
    await writeAdminEvents(trx, { type: 'session.created', changes: [{ after }], cause });
    return ended.length > 0;
  });
  return { id, token, expiresAt, hasEndedOldest };
}

/** One session, also an ended one; undefined if there is none. */
export async function findSession(db: Kysely<Database>, id: string): Promise<Session | undefined> {
  return (await findRecord(db, sessions, { id, limit: undefined }))?.decode();
}

/**
 * Ends sessions, those that their links have opened, and what else waits to be used of them, and writes the events in the same
 * transaction. Other servers accept their tokens for at most a second more; this one until `invalidateKeys`, which is to be called after
 * the commit. Returns those that it has ended.
 */
export async function endSessions(
  db: Kysely<Database>,
  selection: SessionSelection,
  cause: Pick<ChangeCause, 'now' | 'actorId' | 'requestId'>,
): Promise<Session[]> {
  return inTransaction(db, async (trx) => {
    await endSignInsOf(trx, selection, cause.now);
    const ended: Session[] = [];
    // Each statement sees what links opened until the sessions above were locked by the one before it; after that they open nothing.
    let level = await endSessionRows(trx, selection, cause.now);
    while (level.length > 0) {
      ended.push(...level);
      level = await endSessionRows(trx, { openedBy: level.map(({ id }) => id) }, cause.now);
    }
    const changes = ended.map((after) => ({ before: { ...after, endedAt: null }, after }));
    await writeAdminEvents(trx, { type: 'session.ended', changes, cause });
    return ended;
  });
}

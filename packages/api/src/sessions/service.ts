import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { lockNumber } from '../access/creation-limits.ts';
import { hashOf } from '../access/secret.ts';
import { newSessionToken } from '../access/session-callers.ts';
import { writeAdminEvents } from '../event-log/admin-events.ts';
import { findRecord, requireRecord } from '../resources/list/find-record.ts';
import type { ChangeCause } from '../resources/outbox/event-outbox.ts';
import { inTransaction } from '../resources/write/transaction.ts';
import {
  endLinksOf,
  endSessionRows,
  insertSession,
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

/**
 * Creates a session and writes the event `session.created`, whose actor is its owner, in the same transaction. If the owner has 50 already,
 * the oldest ends.
 */
export async function createSession(db: Kysely<Database>, session: NewSession): Promise<CreatedSession> {
  const {
    method,
    client,
    passkeyId = null,
    providerSession = null,
    idToken = null,
    now,
    lifetimeMs,
    requestId = null,
  } = session;
  const id = uuidv7({ msecs: now.getTime() });
  const token = newSessionToken();
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  const hasEndedOldest = await inTransaction(db, async (trx) => {
    await lockNumber(trx, sessionsOf(session));
    await insertSession(trx, {
      id,
      hash: hashOf(token),
      method,
      client: client?.slice(0, CLIENT_LENGTH_MAX).toWellFormed() ?? null,
      person_id: 'personId' in session ? session.personId : null,
      key_id: 'keyId' in session ? session.keyId : null,
      admin_key_hash: 'adminKeyHash' in session ? session.adminKeyHash : null,
      passkey_id: passkeyId,
      provider_session: providerSession,
      id_token: idToken,
      created_at: now,
      expires_at: expiresAt,
    });
    const after = await requireRecord(trx, sessions, { id, limit: undefined });
    const cause = { now, requestId, actorId: after.owner.id };
    const oldest = { oldestOf: session, newId: id, kept: SESSIONS_MAX - 1 };
    const ended = await endSessions(trx, oldest, cause);
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
 * Ends sessions, of a person the links to further ones too, and writes their events in the same transaction. Other servers accept their tokens for at most a second more; this
 * one until `invalidateKeys`, which is to be called after the commit. Returns those that it has ended.
 */
export async function endSessions(
  db: Kysely<Database>,
  selection: SessionSelection,
  cause: Pick<ChangeCause, 'now' | 'actorId' | 'requestId'>,
): Promise<Session[]> {
  return inTransaction(db, async (trx) => {
    if ('personId' in selection) await endLinksOf(trx, { personId: selection.personId, now: cause.now });
    const ended = await endSessionRows(trx, selection, cause.now);
    const changes = ended.map((after) => ({ before: { ...after, endedAt: null }, after }));
    await writeAdminEvents(trx, { type: 'session.ended', changes, cause });
    return ended;
  });
}

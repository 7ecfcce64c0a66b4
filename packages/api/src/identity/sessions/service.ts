import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { lockNumber } from '../../access/creation-limits.ts';
import { hashOf } from '../../access/secret.ts';
import { newSessionToken } from '../../access/session-callers.ts';
import { findRecord, requireRecord } from '../../engine/list/find-record.ts';
import { newId } from '../../engine/new-id.ts';
import type { ChangeCause } from '../../engine/outbox/event-outbox.ts';
import { inTransaction } from '../../engine/write/transaction.ts';
import { RosterError } from '../../errors/roster-error.ts';
import { writeAdminEvents } from '../../log/admin-events.ts';
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

export const SESSIONS_MAX = 50;
const CLIENT_LENGTH_MAX = 200;

export type NewSession = SessionOwner & {
  method: SessionMethod;
  client: string | undefined;
  /** The session whose link opens this one: both have the same sign-in, and this one ends no later. */
  openedBy?: LinkingSession | undefined;
  passkeyId?: string | undefined;
  providerSession?: string | undefined;
  idToken?: string | undefined;
  now: Date;
  lifetimeMs: number;
  requestId?: string | undefined;
};

/** The token is shown only here. */
export interface CreatedSession {
  id: string;
  token: string;
  expiresAt: Date;
  /** Whether the owner's oldest session has ended: then call `invalidateKeys` after the commit. */
  hasEndedOldest: boolean;
}

function sessionsOf(owner: SessionOwner): string {
  if ('personId' in owner) return `sessions of ${owner.personId}`;
  return 'keyId' in owner
    ? `sessions of ${owner.keyId}`
    : `sessions of ${owner.adminKeyHash.toString('hex')}`;
}

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
 * Creates a session and writes the event `session.created` with its owner as actor. If the owner has 50, the
 * oldest ends, except the one whose link opens this one. Throws `sign_in_failed` if all 50 descend from each
 * other's links.
 */
export async function createSession(db: Kysely<Database>, session: NewSession): Promise<CreatedSession> {
  const { method, client, openedBy, now, lifetimeMs, requestId = null } = session;
  const id = newId(now);
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

export async function findSession(db: Kysely<Database>, id: string): Promise<Session | undefined> {
  return (await findRecord(db, sessions, { id, limit: undefined }))?.decode();
}

/**
 * Ends sessions with those their links opened and their unused sign-ins, and writes the events in the same
 * transaction. Returns the ended ones. Other servers accept their tokens for at most another second, this one
 * until you call `invalidateKeys` after the commit.
 */
export async function endSessions(
  db: Kysely<Database>,
  selection: SessionSelection,
  cause: Pick<ChangeCause, 'now' | 'actorId' | 'requestId'>,
): Promise<Session[]> {
  return inTransaction(db, async (trx) => {
    await endSignInsOf(trx, selection, cause.now);
    const ended: Session[] = [];
    // Each statement sees the sessions opened by links of those the previous one locked; once locked they
    // open no more.
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

import { compileOnce, type Database, type Param, type StoredGrant } from '@roster/db';
import type { Kysely } from 'kysely';
import { readLimit } from '../engine/office-limit.ts';
import { recordUse } from './access-rows.ts';
import { ADMIN, type Caller } from './caller.ts';
import { callerOfKey } from './key-callers.ts';
import { mayManage, scopesOfRole } from './roles.ts';
import type { Scope } from './scopes.ts';
import { checksummed, isChecksummed } from './secret.ts';

const PREFIX = 'rss_';

/** 256 random bits. Browsers keep it in a cookie, terminals send it as a bearer token. */
export function newSessionToken(): string {
  return checksummed(PREFIX);
}

export function isSessionToken(text: string): boolean {
  return isChecksummed(PREFIX, text);
}

const findSession = compileOnce(
  (param: Param<{ hash: Buffer }>, db: Kysely<Database>) =>
    db
      .selectFrom('session')
      .leftJoin('person', (on) =>
        on.onRef('person.id', '=', 'session.person_id').on('person.status', '=', 'active'),
      )
      .leftJoin('api_key', (on) =>
        on.onRef('api_key.id', '=', 'session.key_id').on('api_key.revoked_at', 'is', null),
      )
      .where('session.hash', '=', param('hash'))
      .where('session.ended_at', 'is', null)
      .select([
        'session.id',
        'session.expires_at as expiresAt',
        'session.last_used_at as lastUsedAt',
        'session.admin_key_hash as adminKeyHash',
        'person.id as personId',
        'person.name as personName',
        'person.grants',
        'api_key.id as keyId',
        'api_key.name as keyName',
        'api_key.scopes',
        'api_key.office_ids as officeIds',
        'api_key.expires_at as keyExpiresAt',
      ])
      .$narrowType<{ scopes: Scope[] | null }>(),
  { isReadOnly: true, lane: 'keys' },
);

type FoundSession = Awaited<ReturnType<typeof findSession.execute>>[number];

export async function callerOfPerson(
  db: Kysely<Database>,
  { id, name, grants }: { id: string; name: string; grants: readonly StoredGrant[] },
): Promise<Pick<Caller, 'type' | 'id' | 'name' | 'grants' | 'scopes'>> {
  const resolved = grants.map(async ({ role, officeIds }) => ({
    scopes: scopesOfRole[role],
    mayManage: mayManage(role),
    limit: officeIds === null ? undefined : await readLimit(db, officeIds),
    role,
  }));
  const scopes = [...new Set(grants.flatMap(({ role }) => scopesOfRole[role]))];
  return { type: 'person', id, name, scopes, grants: await Promise.all(resolved) };
}

interface SessionRead {
  hash: Buffer;
  now: Date;
  idleMs: number;
  adminHash: Buffer | undefined;
}

export async function readSessionCaller(
  db: Kysely<Database>,
  { hash, now, idleMs, adminHash }: SessionRead,
): Promise<Caller | undefined> {
  const [session] = await findSession.execute(db, { hash });
  if (session === undefined || now.getTime() - session.lastUsedAt.getTime() >= idleMs) return undefined;
  const rights = await loadRights(db, session, adminHash);
  if (rights === undefined) return undefined;
  await recordUse(db, 'session', { id: session.id, now });
  const rightsEndAt = session.keyExpiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const endsAt = Math.min(session.expiresAt.getTime(), rightsEndAt);
  return { ...rights, sessionId: session.id, endsAt, rightsEndAt, isCurrent: true };
}

async function loadRights(
  db: Kysely<Database>,
  { personId, personName, grants, keyId, keyName, scopes, officeIds, adminKeyHash }: FoundSession,
  adminHash: Buffer | undefined,
) {
  if (personId !== null && personName !== null && grants !== null)
    return callerOfPerson(db, { id: personId, name: personName, grants });
  if (keyId !== null && keyName !== null && scopes !== null)
    return callerOfKey(db, { id: keyId, name: keyName, scopes, officeIds });
  return adminKeyHash !== null && adminHash?.equals(adminKeyHash) === true ? ADMIN : undefined;
}

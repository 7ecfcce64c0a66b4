import { timingSafeEqual } from 'node:crypto';
import { compileOnce, type Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { RosterError } from '../errors/roster-error.ts';
import { type Scope, scopes } from './scopes.ts';
import { hashOf, isSecret } from './secret.ts';

/** Who calls: a key that is valid now. */
export interface Caller {
  keyId: string;
  scopes: readonly Scope[];
  /** When the key, or the secret that was sent, stops by itself, in milliseconds since 1970; `Infinity` for never. */
  endsAt: number;
  /** Whether the secret that was sent is the key's current one, and not one that was rotated away and still overlaps. */
  isCurrent: boolean;
}

/** Throws `insufficient_scope` for a caller who may not do what needs a scope. */
export function checkScope({ scopes }: Caller, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new RosterError('insufficient_scope', `The key needs the scope ${scope}.`, { scope });
}

/** The same of several scopes, of which all that are missing are named. */
export function checkScopes({ scopes }: Pick<Caller, 'scopes'>, needed: readonly Scope[]): void {
  const missing = [...new Set(needed)].filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return;
  const names = missing.length === 1 ? `scope ${missing[0]}` : `scopes ${missing.join(' and ')}`;
  throw new RosterError('insufficient_scope', `The key needs the ${names}.`, { scope: missing.join(' ') });
}

/** The key that ROSTER_ADMIN_KEY stands for has no row; this id names it in logs and events. */
export const ADMIN_KEY_ID = '00000000-0000-0000-0000-000000000000';

interface Known extends Caller {
  readAt: number;
}

export interface AuthenticatorOptions {
  db: Kysely<Database>;
  now: () => Date;
  /** A secret with all scopes that is not in the database (ROSTER_ADMIN_KEY). */
  adminKey?: string | undefined;
  /** Whether changes of keys are told at once; while they are not, nothing is remembered for long. */
  isListening: () => boolean;
}

export interface Authenticator {
  /** Who sends this Authorization header. Throws `unauthenticated`. */
  callerOf(authorization: string | undefined): Promise<Caller>;
  /**
   * The same where nobody has to be asked; undefined where somebody has, or where there is no such caller. What was sent
   * on a connection before is hashed once: most send the same key with every request.
   */
  cachedCaller(authorization: string | undefined, connection: object): Caller | undefined;
  /**
   * Whether this server has found the key of a header valid before. Its look-up is never refused because of what others
   * send from the same address; nobody can make up such a key.
   */
  isFamiliar(authorization: string | undefined, connection: object): boolean;
  /** Forgets everything; to be called when any key changed. */
  invalidate(): void;
}

const TTL_MS = 60_000;
const TTL_WITHOUT_NOTIFY_MS = 300;
const KNOWN_MAX = 10_000;
const USE_RECORDED_EVERY_MS = 60_000;

const ADMIN: Caller = { keyId: ADMIN_KEY_ID, scopes, endsAt: Number.POSITIVE_INFINITY, isCurrent: true };

function unauthenticated(detail: string, isTokenInvalid: boolean): RosterError {
  return new RosterError('unauthenticated', detail, { isTokenInvalid });
}

const bearer = /^Bearer +([\x21-\x7e]+) *$/i;

/** The secret in `Authorization: Bearer <secret>` (RFC 6750). */
function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined) throw unauthenticated('The request carries no key.', false);
  const secret = bearer.exec(authorization)?.[1];
  if (secret === undefined)
    throw unauthenticated(
      'The Authorization header is not of the form "Bearer <key>".',
      /^bearer\b/i.test(authorization),
    );
  return secret;
}

interface FoundKey {
  id: string;
  scopes: Scope[];
  endsAt: Date | null;
  isCurrent: boolean;
}

const findKey = compileOnce<{ hash: Buffer }, FoundKey>(
  (place) => sql`
    select api_key.id, api_key.scopes, least(api_key.expires_at, api_key_secret.ends_at) as "endsAt",
      api_key_secret.ends_at is null as "isCurrent"
    from api_key_secret join api_key on api_key.id = api_key_secret.key_id
    where api_key_secret.hash = ${place('hash')} and api_key.revoked_at is null`,
  { isReadOnly: true },
);

/** A secret as it is kept, and as it is looked up in memory. */
interface Sent {
  header: Buffer;
  hash: Buffer;
  name: string;
}

/** The hashes of what was sent last on each connection, for as long as there is the connection. */
class SentHashes {
  readonly #last = new WeakMap<object, Sent>();

  /** The hash of the secret in a header; undefined where there is none in it. */
  of(authorization: string, connection: object): Sent | undefined {
    const header = Buffer.from(authorization);
    const last = this.#last.get(connection);
    // A connection may be a proxy's, so one caller's header is compared with another's in a time that tells nothing.
    if (last?.header.length === header.length && timingSafeEqual(last.header, header)) return last;
    const secret = bearer.exec(authorization)?.[1];
    if (secret === undefined) return undefined;
    const hash = hashOf(secret);
    const sent = { header, hash, name: hash.toString('base64') };
    this.#last.set(connection, sent);
    return sent;
  }
}

/**
 * The keys a server has met, so that most requests ask the database nothing. Secrets are compared by their SHA-256,
 * so that the time a comparison takes tells nothing about the secret.
 */
export function createAuthenticator({ db, now, adminKey, isListening }: AuthenticatorOptions): Authenticator {
  const known = new Map<string, Known>();
  /** The names of keys that were valid when they were last looked up, the oldest first. */
  const familiar = new Set<string>();
  const hashes = new SentHashes();
  const adminHash = adminKey === undefined ? undefined : hashOf(adminKey);
  // Counts the times everything was forgotten: what was read before such a time is not remembered after it.
  let generation = 0;

  async function read(hash: Buffer): Promise<Known | undefined> {
    const [row] = await findKey.execute(db, { hash });
    if (row === undefined) return undefined;
    const endsAt = row.endsAt?.getTime() ?? Number.POSITIVE_INFINITY;
    return { keyId: row.id, scopes: row.scopes, endsAt, isCurrent: row.isCurrent, readAt: now().getTime() };
  }

  function remember(name: string, key: Known): void {
    if (known.size >= KNOWN_MAX) known.delete(known.keys().next().value ?? name);
    known.set(name, key);
  }

  function trusted(name: string): Known | undefined {
    const held = known.get(name);
    const trustMs = isListening() ? TTL_MS : TTL_WITHOUT_NOTIFY_MS;
    const ageMs = held === undefined ? Number.NaN : now().getTime() - held.readAt;
    // A clock that was set back says nothing of how old this is.
    return ageMs >= 0 && ageMs < trustMs ? held : undefined;
  }

  function isAdmin(hash: Buffer): boolean {
    return adminHash !== undefined && timingSafeEqual(hash, adminHash);
  }

  async function find(hash: Buffer): Promise<Known | undefined> {
    const name = hash.toString('base64');
    const held = trusted(name);
    if (held !== undefined) return held;
    known.delete(name);
    const before = generation;
    const key = await read(hash);
    if (key === undefined) familiar.delete(name);
    else {
      if (familiar.size >= KNOWN_MAX) familiar.delete(familiar.keys().next().value ?? name);
      familiar.add(name);
      await recordUse(db, key.keyId, now());
      if (before === generation) remember(name, key);
    }
    return key;
  }

  return {
    async callerOf(authorization) {
      const secret = bearerOf(authorization);
      const hash = hashOf(secret);
      if (isAdmin(hash)) return ADMIN;
      const key = isSecret(secret) ? await find(hash) : undefined;
      if (key === undefined || key.endsAt <= now().getTime()) {
        throw unauthenticated(
          'The key is not one of ours, or it was revoked, rotated away or has expired.',
          true,
        );
      }
      return key;
    },
    cachedCaller(authorization, connection) {
      const sent = authorization === undefined ? undefined : hashes.of(authorization, connection);
      if (sent === undefined) return undefined;
      if (isAdmin(sent.hash)) return ADMIN;
      const held = trusted(sent.name);
      return held !== undefined && held.endsAt > now().getTime() ? held : undefined;
    },
    isFamiliar(authorization, connection) {
      const sent = authorization === undefined ? undefined : hashes.of(authorization, connection);
      return sent !== undefined && familiar.has(sent.name);
    },
    invalidate() {
      generation += 1;
      known.clear();
    },
  };
}

/** Notes that a key is in use, at most once a minute. */
async function recordUse(db: Kysely<Database>, keyId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - USE_RECORDED_EVERY_MS);
  const noting = sql`
    update api_key set last_used_at = ${now}
    where id = ${keyId} and (last_used_at is null or last_used_at <= ${before})`;
  // The request matters more than the note of it.
  await noting.execute(db).catch(() => undefined);
}

import { timingSafeEqual } from 'node:crypto';
import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { RosterError } from '../errors/roster-error.ts';
import { ADMIN, type Caller } from './caller.ts';
import { readKeyCaller } from './key-callers.ts';
import { hashOf, isSecret } from './secret.ts';
import { isSessionToken, readSessionCaller } from './session-callers.ts';

interface CachedCaller {
  caller: Caller;
  readAtMs: number;
}

export interface AuthenticatorOptions {
  db: Kysely<Database>;
  now: () => Date;
  adminKey?: string | undefined;
  sessionIdleMs: number;
  /** Whether this server is notified of changed keys. Otherwise callers are cached for only 300 ms. */
  isListening: () => boolean;
}

export interface Authenticator {
  /** Throws `unauthenticated`. */
  callerOf(authorization: string | undefined): Promise<Caller>;
  /**
   * Returns the caller without a query; undefined if not cached or not valid. Keeps the hash of the last
   * secret of each connection, because most clients send the same key with every request.
   *
   * @param connection the object of the connection, such as its socket
   */
  cachedCaller(authorization: string | undefined, connection: object): Caller | undefined;
  /** Such a key is no guess: it is looked up even while unknown keys from the address are rejected. */
  isFamiliar(authorization: string | undefined, connection: object): boolean;
  /** Call it when any key, person or session has changed. */
  invalidate(): void;
  /** Call it when the tree of offices has changed. */
  invalidateLimits(): void;
}

const TTL_MS = 60_000;
const TTL_WITHOUT_NOTIFY_MS = 300;
const CACHED_MAX = 10_000;

const KEY_INVALID = 'The key is unknown, revoked, rotated or expired.';
const SESSION_ENDED = 'The session is unknown or has ended. Sign in again.';

interface Credential {
  hash: Buffer;
  isSession: boolean;
}

function unauthenticated(detail: string, isTokenInvalid: boolean): RosterError {
  return new RosterError('unauthenticated', detail, { isTokenInvalid });
}

const bearer = /^Bearer +([\x21-\x7e]+) *$/i;

/** RFC 6750 */
function parseBearer(authorization: string | undefined): string {
  if (authorization === undefined) throw unauthenticated('The request has no key.', false);
  const secret = bearer.exec(authorization)?.[1];
  if (secret === undefined)
    throw unauthenticated(
      'Send the Authorization header in the form "Bearer <key>".',
      /^bearer\b/i.test(authorization),
    );
  return secret;
}

interface SentSecret {
  header: Buffer;
  hash: Buffer;
  cacheKey: string;
}

class HashMemo {
  readonly #last = new WeakMap<object, SentSecret>();

  of(authorization: string, connection: object): SentSecret | undefined {
    const header = Buffer.from(authorization);
    const last = this.#last.get(connection);
    // In constant time, because the connection of a proxy has the headers of several callers.
    if (last?.header.length === header.length && timingSafeEqual(last.header, header)) return last;
    const secret = bearer.exec(authorization)?.[1];
    if (secret === undefined) return undefined;
    const hash = hashOf(secret);
    const sent = { header, hash, cacheKey: hash.toString('base64') };
    this.#last.set(connection, sent);
    return sent;
  }
}

/** Compares secrets by SHA-256, so that the time of a comparison reveals nothing about them. */
export function createAuthenticator({
  db,
  now,
  adminKey,
  sessionIdleMs,
  isListening,
}: AuthenticatorOptions): Authenticator {
  const cache = new Map<string, CachedCaller>();
  const familiar = new Set<string>();
  const memo = new HashMemo();
  const adminHash = adminKey === undefined ? undefined : hashOf(adminKey);
  // Counts invalidations: a result read before one is not cached after it.
  let generation = 0;

  async function read({ hash, isSession }: Credential): Promise<Caller | undefined> {
    if (!isSession) return readKeyCaller(db, hash, now());
    return readSessionCaller(db, { hash, now: now(), idleMs: sessionIdleMs, adminHash });
  }

  function add(cacheKey: string, caller: CachedCaller): void {
    if (cache.size >= CACHED_MAX) cache.delete(cache.keys().next().value ?? cacheKey);
    cache.set(cacheKey, caller);
  }

  function fresh(cacheKey: string): Caller | undefined {
    const cached = cache.get(cacheKey);
    const ttlMs = isListening() ? TTL_MS : TTL_WITHOUT_NOTIFY_MS;
    const ageMs = cached === undefined ? Number.NaN : now().getTime() - cached.readAtMs;
    // The age is negative if the clock was set back.
    return ageMs >= 0 && ageMs < ttlMs ? cached?.caller : undefined;
  }

  function isAdmin(hash: Buffer): boolean {
    return adminHash !== undefined && timingSafeEqual(hash, adminHash);
  }

  async function find(credential: Credential): Promise<Caller | undefined> {
    const cacheKey = credential.hash.toString('base64');
    const cached = fresh(cacheKey);
    if (cached !== undefined) return cached;
    cache.delete(cacheKey);
    const before = generation;
    const readAtMs = now().getTime();
    const caller = await read(credential);
    if (caller === undefined) familiar.delete(cacheKey);
    else {
      if (familiar.size >= CACHED_MAX) familiar.delete(familiar.keys().next().value ?? cacheKey);
      familiar.add(cacheKey);
      if (before === generation) add(cacheKey, { caller, readAtMs });
    }
    return caller;
  }

  return {
    async callerOf(authorization) {
      const secret = parseBearer(authorization);
      const hash = hashOf(secret);
      if (isAdmin(hash)) return ADMIN;
      const isSession = isSessionToken(secret);
      const caller = isSession || isSecret(secret) ? await find({ hash, isSession }) : undefined;
      if (caller === undefined || caller.endsAt <= now().getTime()) {
        throw unauthenticated(isSession ? SESSION_ENDED : KEY_INVALID, true);
      }
      return caller;
    },
    cachedCaller(authorization, connection) {
      const sent = authorization === undefined ? undefined : memo.of(authorization, connection);
      if (sent === undefined) return undefined;
      if (isAdmin(sent.hash)) return ADMIN;
      const cached = fresh(sent.cacheKey);
      return cached !== undefined && cached.endsAt > now().getTime() ? cached : undefined;
    },
    isFamiliar(authorization, connection) {
      const sent = authorization === undefined ? undefined : memo.of(authorization, connection);
      return sent !== undefined && familiar.has(sent.cacheKey);
    },
    invalidate() {
      generation += 1;
      cache.clear();
    },
    invalidateLimits() {
      generation += 1;
      for (const [cacheKey, { caller }] of cache) {
        if (caller.grants.some(({ limit }) => limit !== undefined)) cache.delete(cacheKey);
      }
    },
  };
}

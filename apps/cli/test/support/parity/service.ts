import { setTimeout } from 'node:timers/promises';
import type { Scope } from '@roster/api';
import { createSession, startTestServer } from '@roster/server/testing';
import { compareAll } from '@roster/server/testing/comparison';
import { storePasskey } from '@roster/server/testing/people';

/** A response in JSON, of which only some members are read. */
export interface Made {
  id: string;
  nextCursor?: string;
  prevCursor?: string;
  items: Made[];
  [name: string]: unknown;
}

/** A service for one interface. The same calls to two of them have the same results, except for ids, times and secrets. */
export interface IsolatedService extends AsyncDisposable {
  url: string;
  /** The secret of a key with all scopes. */
  key: string;
  /** The secret of a key with only these scopes. */
  keyWith: (scopes: readonly Scope[]) => Promise<string>;
  /** A number that is unique in this service. */
  unique: () => number;
  /** Sends a request of REST, and returns its response; an object as the body is sent as JSON, text as CSV. Throws unless it succeeds. */
  request: (method: string, path: string, body?: object | string) => Promise<Made>;
  /** Starts a session of a person; returns its id. */
  session: (personId: string) => Promise<string>;
  /** Stores a passkey of a person; returns its id. */
  passkey: (personId: string) => Promise<string>;
  /** Compares all records with each other. */
  compare: () => Promise<void>;
  /** Resolves when the log has all events. */
  logged: () => Promise<void>;
  /** Advances the clock, which stands still otherwise. */
  tick: () => void;
}

/** It has not expired by the clock of the database either. */
const LIFETIME_MS = 100 * 365 * 24 * 60 * 60 * 1_000;
const START = Date.parse('2026-01-31T08:00:00Z');
/** Ids, and the times of the clock, on whatever day. */
const named = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT08:0\d:\d\d\.\d{3}Z/gi;

const numbers =
  'pid sizeBytes open uptimeS lastPosition waiting pending due inFlight unread oldestWaitingS oldestDueS lagS failingLagS readTo durationMs';
const times = 'at failingSince foundAt startedAt finishedAt lastSeenAt';

/** The fields that depend on timing or on chance, and their formats. */
const varying: Record<string, RegExp> = {
  secret: /^(rst_[\w-]{51}|whsec_[A-Za-z0-9+/]{43}=)$/,
  hint: /^rst_[\w-]{8}$/,
  link: /^http:\/\/localhost:\d+\/console\/invitation#[\w-]{43}$/,
  cursor: /^[\w-]{20,}$/,
  nextCursor: /^[\w-]+$/,
  prevCursor: /^[\w-]+$/,
  requestId: /^[\w-]+$/,
  ...Object.fromEntries(numbers.split(' ').map((name) => [name, /^[\d.]+$/])),
  ...Object.fromEntries(times.split(' ').map((name) => [name, /^20.*Z$/])),
};

/** Replaces what differs between services: ids and times by the order of their appearance, secrets and cursors. */
export function normalized(given: unknown): unknown {
  const seen = new Map<string, string>();
  const nameOf = (text: string) => {
    const key = text.toLowerCase();
    const name = seen.get(key) ?? `<${seen.size}>`;
    seen.set(key, name);
    return name;
  };
  const normalize = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(named, nameOf);
    if (Array.isArray(value)) return value.map(normalize);
    if (typeof value !== 'object' || value === null) return value;
    const parts = Object.entries(value).map(([name, part]) => {
      const isVarying = typeof part !== 'object' && varying[name]?.test(String(part));
      return [name, isVarying ? `<${name}>` : normalize(part)];
    });
    return Object.fromEntries(parts);
  };
  return normalize(given);
}

export async function startIsolatedService(
  options: { isVersionRequired?: boolean } = {},
): Promise<IsolatedService> {
  let now = START;
  let count = 0;
  const tick = () => {
    now += 1;
  };
  // All cases create webhooks with one key, which may have half of them.
  const server = await startTestServer({ webhooksMax: 1_000, ...options, now: () => new Date(now) });
  const { db } = server.database;
  const request: IsolatedService['request'] = async (method, path, body) => {
    tick();
    const response = await server.request(method, path, body, {
      ...(typeof body === 'string' && { 'Content-Type': 'text/csv' }),
    });
    const text = await response.text();
    if ([429, 502, 503, 504].includes(response.status)) {
      // On a busy machine.
      await setTimeout(100);
      return request(method, path, body);
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return text === '' ? {} : JSON.parse(text);
  };
  const secrets = new Map<string, Promise<Made>>();
  return {
    url: server.url,
    key: server.key,
    request,
    unique: () => {
      count += 1;
      return count;
    },
    session: async (personId) => {
      tick();
      const session = { personId, method: 'link' as const, client: 'A test', lifetimeMs: LIFETIME_MS };
      return (await createSession(db, { ...session, now: new Date(now) })).id;
    },
    passkey: async (personId) => {
      tick();
      return (await storePasskey(server.database, personId, new Date(now))).id;
    },
    compare: () => compareAll(db, new Date(now)),
    logged: async () => {
      const left = db.selectFrom('event').select('id').where('position', 'is', null).limit(1);
      while ((await left.execute()).length > 0) await setTimeout(5);
    },
    keyWith: async (scopes) => {
      const key = secrets.get(`${scopes}`) ?? request('POST', '/keys', { name: 'Some scopes', scopes });
      secrets.set(`${scopes}`, key);
      return String((await key).secret);
    },
    tick,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

import { setTimeout } from 'node:timers/promises';
import type { Scope } from '@roster/api';
import { createRosterClient, type KeyWithSecret, type ResourceName, type RosterClient } from '@roster/client';
import { createSession, startTestServer, type TestServer } from '@roster/server/testing';
import { compareAll } from '@roster/server/testing/comparison';
import { storePasskey } from '@roster/server/testing/people';
import { logged } from '../test-service.ts';

/** Creates the records of a case, the same ones in every service. */
export interface Fixtures {
  client: RosterClient;
  /** Starts a session of a person; returns its id. */
  session: (owner: { personId: string }) => Promise<string>;
  /** Stores a passkey of a person; returns its id. */
  passkey: (personId: string) => Promise<string>;
  /** A number that is unique in this service. */
  unique: () => number;
  /** Resolves to the pair of records that may be the same with a record, which it waits for; the clock does not advance. */
  pairWith: (resource: ResourceName, recordId: string) => Promise<{ id: string }>;
  /** Resolves when the log has this number of events of a record; the clock does not advance. */
  logged: (id: string, count: number) => Promise<unknown>;
  /** Resolves when an import, or a job, has ended; the clock does not advance. */
  ended: (id: string, kind?: 'imports' | 'jobs') => Promise<void>;
}

/** A service for one interface. The same calls to two of them have the same results, except for ids and secrets. */
export interface IsolatedService extends AsyncDisposable {
  url: string;
  fixtures: Fixtures;
  /** The secret of a key with all scopes. */
  key: string;
  /** The secret of a key with only these scopes. */
  keyWith: (scopes: Scope[]) => Promise<string>;
  /** Advances the clock, which otherwise stands still, so that all services have the same times. */
  tick: () => void;
  /** Replaces what differs between services: ids by the order of their appearance, secrets and cursors. */
  normalize: (value: unknown) => unknown;
}

/** It has not expired by the clock of the database either. */
const LIFETIME_MS = 100 * 365 * 24 * 60 * 60 * 1_000;
const START = Date.parse('2026-01-31T08:00:00Z');
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The fields that differ between services, and their formats. */
const varying: Record<string, RegExp> = {
  secret: /^(rst_[\w-]{51}|whsec_[A-Za-z0-9+/]{43}=)$/,
  hint: /^rst_[\w-]{8}$/,
  link: /^http:\/\/localhost:\d+\/console\/invitation#[\w-]{43}$/,
  nextCursor: /^[\w-]+$/,
  prevCursor: /^[\w-]+$/,
  // These depend on timing.
  readTo: /^\d+$/,
  at: /^20.*Z$/,
  foundAt: /^20.*Z$/,
  startedAt: /^20.*Z$/,
  finishedAt: /^20.*Z$/,
  durationMs: /^\d+$/,
  requestId: /^[\w-]+$/,
  // Of the status.
  ...Object.fromEntries(
    ['pid', 'sizeBytes', 'open', 'uptimeS', 'lastPosition', 'waiting', 'pending', 'due', 'inFlight', 'unread']
      .concat(['oldestWaitingS', 'oldestDueS', 'lagS', 'failingLagS'])
      .map((name) => [name, /^[\d.]+$/]),
  ),
  lastSeenAt: /^20.*Z$/,
};

function normalizer(): (value: unknown) => unknown {
  const seen = new Map<string, string>();
  const nameOf = (id: string) => {
    const key = id.toLowerCase();
    const name = seen.get(key) ?? `<id ${seen.size}>`;
    seen.set(key, name);
    return name;
  };
  const normalize = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(uuid, nameOf);
    if (Array.isArray(value)) return value.map(normalize);
    if (typeof value !== 'object' || value === null) return value;
    const parts = Object.entries(value).map(([name, part]) => {
      const isVarying = typeof part !== 'object' && varying[name]?.test(String(part));
      return [name, isVarying ? `<${name}>` : normalize(part)];
    });
    return Object.fromEntries(parts);
  };
  return normalize;
}

/** A client that advances the clock before every call, and not again before an attempt to repeat one on a busy machine. */
function tickingClient({ url, key }: TestServer, tick: () => void): RosterClient {
  let isRepeated = false;
  return createRosterClient({
    url,
    key,
    fetch: async (...request) => {
      if (!isRepeated) tick();
      isRepeated = true;
      const response = await fetch(...request);
      isRepeated = [429, 502, 503, 504].includes(response.status);
      return response;
    },
  });
}

/** Finds the pair with a record, for which all records are compared first. */
async function pairWith(
  server: TestServer,
  { resource, recordId, now }: { resource: ResourceName; recordId: string; now: Date },
): Promise<{ id: string }> {
  await compareAll(server.database.db, now);
  const { items } = await createRosterClient(server)[resource].duplicates.query({ recordId });
  if (items[0] === undefined) throw new Error(`No pair with ${recordId} was found.`);
  return items[0];
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
  const client = tickingClient(server, tick);
  const secrets = new Map<string, Promise<KeyWithSecret>>();
  return {
    url: server.url,
    key: server.key,
    fixtures: {
      client,
      unique: () => {
        count += 1;
        return count;
      },
      session: async ({ personId }) => {
        tick();
        const session = { personId, method: 'link' as const, client: 'A test', lifetimeMs: LIFETIME_MS };
        return (await createSession(server.database.db, { ...session, now: new Date(now) })).id;
      },
      pairWith: (resource, recordId) => pairWith(server, { resource, recordId, now: new Date(now) }),
      passkey: async (personId) => {
        tick();
        return (await storePasskey(server.database, personId, new Date(now))).id;
      },
      logged: (id, count) => logged(createRosterClient(server), id, count),
      ended: async (id, kind = 'imports') => {
        const { [kind]: started } = createRosterClient(server);
        while ((await started.get.query({ id })).finishedAt === null) await setTimeout(20);
      },
    },
    keyWith: async (scopes) => {
      const name = scopes.join(' ');
      const key = secrets.get(name) ?? client.keys.create.mutate({ name: name.slice(0, 100), scopes });
      secrets.set(name, key);
      return (await key).secret;
    },
    tick,
    normalize: normalizer(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

import type { Scope } from '@roster/api';
import { createRosterClient, type KeyWithSecret, type RosterClient } from '@roster/client';
import { startTestServer, type TestServer } from '@roster/server/testing';
import { logged } from '../test-service.ts';

/** What makes the records a case is about, the same ones in every world. */
export interface Stage {
  client: RosterClient;
  /** A number that no other case of this world gets. */
  unique: () => number;
  /** Resolves when a record has so many events in the log; the clock stands still meanwhile. */
  logged: (id: string, count: number) => Promise<unknown>;
}

/** A service of one door's own: whatever is done in two of them alike has the same result but for ids and secrets. */
export interface World extends AsyncDisposable {
  url: string;
  stage: Stage;
  /** The secret of a key with all scopes. */
  key: string;
  /** The secret of a key with just these scopes. */
  keyWith: (scopes: Scope[]) => Promise<string>;
  /** Moves the clock on; it stands still between calls, so that all worlds have the same times. */
  tick: () => void;
  /** A value without what differs from world to world: ids by the order they were seen in, secrets, cursors. */
  steady: (value: unknown) => unknown;
}

const START = Date.parse('2026-01-31T08:00:00Z');
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** What is different in every world, and what it must look like. */
const varying: Record<string, RegExp> = {
  secret: /^(rst_[\w-]{51}|whsec_[A-Za-z0-9+/]{43}=)$/,
  hint: /^rst_[\w-]{8}$/,
  nextCursor: /^[\w-]+$/,
  // How far a webhook has come, and what came of an attempt, take the time they take.
  readTo: /^\d+$/,
  at: /^20.*Z$/,
  durationMs: /^\d+$/,
  requestId: /^[\w-]+$/,
};

function steadying(): (value: unknown) => unknown {
  const seen = new Map<string, string>();
  const nameOf = (id: string) => {
    const key = id.toLowerCase();
    const name = seen.get(key) ?? `<id ${seen.size}>`;
    seen.set(key, name);
    return name;
  };
  const steady = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(uuid, nameOf);
    if (Array.isArray(value)) return value.map(steady);
    if (typeof value !== 'object' || value === null) return value;
    const parts = Object.entries(value).map(([name, part]) => {
      const isVarying = typeof part !== 'object' && varying[name]?.test(String(part));
      return [name, isVarying ? `<${name}>` : steady(part)];
    });
    return Object.fromEntries(parts);
  };
  return steady;
}

/** A client whose every request is made at a time of its own. */
function tickingClient({ url, key }: TestServer, tick: () => void): RosterClient {
  return createRosterClient({
    url,
    key,
    fetch: (...request) => {
      tick();
      return fetch(...request);
    },
  });
}

export async function createWorld(options: { isVersionRequired?: boolean } = {}): Promise<World> {
  let now = START;
  let count = 0;
  const tick = () => {
    now += 1;
  };
  const server = await startTestServer({ ...options, now: () => new Date(now) });
  const client = tickingClient(server, tick);
  const secrets = new Map<string, Promise<KeyWithSecret>>();
  return {
    url: server.url,
    key: server.key,
    stage: {
      client,
      unique: () => {
        count += 1;
        return count;
      },
      logged: (id, count) => logged(createRosterClient(server), id, count),
    },
    keyWith: async (scopes) => {
      const name = scopes.join(' ');
      const key = secrets.get(name) ?? client.keys.create.mutate({ name, scopes });
      secrets.set(name, key);
      return (await key).secret;
    },
    tick,
    steady: steadying(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

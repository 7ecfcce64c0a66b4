import { createRosterClient, type RosterClient } from '@roster/client';

/** What a load has seen so far. */
export interface Seen {
  requests: number;
  /** Every answer that is none, or not the one that was to come. */
  failures: string[];
  /** The longest a request took, in milliseconds. */
  slowestMs: number;
  /** `id version` of every change that was acknowledged. */
  acknowledged: Set<string>;
  /** The same of every event that was followed, and how often the stream was interrupted. */
  followed: Set<string>;
  interruptions: number;
}

export interface Load {
  seen: Seen;
  /** Ends the requests, and waits for the events of all of them. */
  stop(): Promise<void>;
}

interface Target {
  url: string;
  key: string;
  /** Callers at once. */
  callers: number;
}

const EVENTS_WITHIN_MS = 15_000;

/** Calls a service without pause, over RPC and REST, and never twice for the same; and follows its events. */
export function startLoad(target: Target): Load {
  const seen: Seen = {
    requests: 0,
    failures: [],
    slowestMs: 0,
    acknowledged: new Set(),
    followed: new Set(),
    interruptions: 0,
  };
  const client = createRosterClient({ ...target, attempts: 1 });
  const stopping = new AbortController();
  const calling = Array.from({ length: target.callers }, async (_, index) => {
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      await callsOf(client, target, seen, `${index}-${round}`).catch((error: unknown) => {
        seen.failures.push(`${new Date().toISOString()} ${error}`);
      });
    }
  });
  const left = new AbortController();
  const following = follow(client, seen, left.signal);
  return {
    seen,
    async stop() {
      stopping.abort();
      await Promise.all(calling);
      const deadline = Date.now() + EVENTS_WITHIN_MS;
      while (missing(seen).length > 0 && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      left.abort();
      await following;
    },
  };
}

/** Acknowledged changes whose event has not come. */
export function missing({ acknowledged, followed }: Seen): string[] {
  return [...acknowledged].filter((change) => !followed.has(change));
}

async function timed<Value>(seen: Seen, call: () => Promise<Value>): Promise<Value> {
  const started = performance.now();
  seen.requests += 1;
  try {
    return await call();
  } finally {
    seen.slowestMs = Math.max(seen.slowestMs, performance.now() - started);
  }
}

/** A few calls that follow from each other: two changes and two reads by RPC, one of each by REST. */
async function callsOf(client: RosterClient, target: Target, seen: Seen, name: string): Promise<void> {
  const note = ({ id, version }: { id: string; version: number }) =>
    void seen.acknowledged.add(`${id} ${version}`);
  const office = await timed(seen, () => client.offices.create.mutate({ name }));
  note(office);
  const { id } = office;
  note(
    await timed(seen, () => client.offices.update.mutate({ id, ifVersion: 1, phone: '+351 210 000 000' })),
  );
  await timed(seen, () => client.offices.get.query({ id }));
  await timed(seen, () => client.offices.list.query({ limit: 5 }));
  const patched = await timed(seen, () => rest(target, 'PATCH', `/offices/${id}`, { bio: name }));
  note(patched as { id: string; version: number });
  await timed(seen, () => rest(target, 'GET', `/offices/${id}`));
}

async function rest({ url, key }: Target, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

async function follow(client: RosterClient, seen: Seen, signal: AbortSignal): Promise<void> {
  const onInterruption = () => {
    seen.interruptions += 1;
  };
  try {
    for await (const event of client.events.follow({ after: '0' }, { signal, onInterruption })) {
      seen.followed.add(`${event.subject} ${event.version}`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRosterClient, type RosterClient } from '@roster/client';
import { until } from '@roster/harness/until';

/** What a load has seen so far. */
export interface Seen {
  requests: number;
  /** Every answer that is none, or not the one that was to come. */
  failures: string[];
  /** The longest a request took, in milliseconds. */
  slowestMs: number;
  /** `id version` of every change that was acknowledged, and when, by `performance.now()`. */
  acknowledged: Map<string, number>;
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
  /** How often a call is made until it is answered; once unless given, so that what fails has failed. */
  attempts?: number;
}

const RETRY_MS = 100;

const EVENTS_WITHIN_MS = 15_000;

/** Calls a service without pause, over RPC and REST, and follows its events. */
export function startLoad(target: Target): Load {
  const seen: Seen = {
    requests: 0,
    failures: [],
    slowestMs: 0,
    acknowledged: new Map(),
    followed: new Set(),
    interruptions: 0,
  };
  const client = createRosterClient({ attempts: 1, ...target });
  const stopping = new AbortController();
  const calling = Array.from({ length: target.callers }, async (_, index) => {
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      await callsOf(client, target, seen, `${index}-${round}`).catch((error: unknown) => {
        seen.failures.push(`${new Date().toISOString()} ${error}`);
      });
    }
  });
  const left = new AbortController();
  const following = follow(client, seen, left.signal).catch((error: unknown) => {
    seen.failures.push(`the stream of events ended: ${error}`);
  });
  return {
    seen,
    async stop() {
      stopping.abort();
      await Promise.all(calling);
      const isWhole = async () => missing(seen).length === 0;
      await until('all events', isWhole, { withinMs: EVENTS_WITHIN_MS, everyMs: 50 }).catch(() => undefined);
      left.abort();
      await following;
    },
  };
}

/** Acknowledged changes whose event has not come. */
export function missing({ acknowledged, followed }: Seen): string[] {
  return [...acknowledged.keys()].filter((change) => !followed.has(change));
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
    void seen.acknowledged.set(`${id} ${version}`, performance.now());
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

async function rest(target: Target, method: string, path: string, body?: object): Promise<unknown> {
  const { url, key, attempts = 1 } = target;
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    ...(body !== undefined && { 'Idempotency-Key': randomUUID() }),
  };
  const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${url}${path}`, request).catch((error: Error) => error);
    const text = response instanceof Error ? response.message : await response.text();
    const status = response instanceof Error ? 0 : response.status;
    if (status >= 200 && status < 300) return JSON.parse(text);
    const mayRepeat = response instanceof Error || (status === 503 && response.headers.has('retry-after'));
    if (!mayRepeat || attempt >= attempts) throw new Error(`${method} ${path}: ${status} ${text}`);
    await sleep(RETRY_MS);
  }
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

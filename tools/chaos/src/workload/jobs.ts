import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, openCaller } from '@roster/harness/caller';
import type { Random } from '../random.ts';

interface JobClientOptions {
  port: number;
  key: string;
  random: Random;
  /** Fires when no job is to be started any more. */
  signal: AbortSignal;
}

/** How long a client leaves the deployment alone between two jobs, in milliseconds. */
const PAUSE_MS = { least: 300, most: 3_000 };
const RETRY_MS = 200;
const ATTEMPTS_MAX = 60;
/** How many jobs are cancelled soon after they were accepted, and how many are undone once they have ended. */
const CANCELLED = 0.15;
const UNDONE = 0.4;
const LOOKS_MAX = 100;

interface Shown {
  id: string;
  count: number;
  finishedAt: string | null;
}

/**
 * A client that changes all agents with a status by jobs, one after another, cancels some and undoes some. The jobs that were accepted
 * are in the table afterwards, so it remembers nothing.
 */
export async function runJobClient({ port, key, random, signal }: JobClientOptions): Promise<void> {
  const caller = openCaller({ port, key });
  /** Asks until there is an answer that is not about a fault; undefined if there is none. */
  const ask = async (method: string, path: string, body?: object): Promise<Shown | undefined> => {
    const headers = { 'Idempotency-Key': randomUUID() };
    for (let attempt = 1; attempt <= ATTEMPTS_MAX && !signal.aborted; attempt += 1) {
      const answer: Answer | undefined = await caller
        .send({ method, path, headers: method === 'POST' ? headers : {}, body })
        .catch(() => undefined);
      if (answer !== undefined && answer.status < 400) return JSON.parse(answer.body) as Shown;
      const isTrouble = answer === undefined || answer.status >= 500 || answer.body.includes('_in_progress');
      if (!isTrouble) return undefined;
      await sleep(RETRY_MS);
    }
    return undefined;
  };
  const ended = async (id: string) => {
    for (let look = 1; look <= LOOKS_MAX && !signal.aborted; look += 1) {
      const job = await ask('GET', `/jobs/${id}`);
      if (job === undefined || job.finishedAt !== null) return;
      await sleep(RETRY_MS);
    }
  };
  while (!signal.aborted) {
    await sleep(RETRY_MS);
    const filter = { status: [random.pick(['active', 'inactive'])] };
    const change = { type: 'update', patch: { phoneExt: String(random.between(0, 999_999)) } };
    const preview = await ask('POST', '/agents/bulk', { filter, change, dryRun: true });
    if (preview === undefined) continue;
    // The number may be another by now: then nothing is changed, and it is tried again.
    const job = await ask('POST', '/agents/bulk', { filter, change, expectedCount: preview.count });
    if (job === undefined) continue;
    if (random.chance(CANCELLED)) await ask('PUT', `/jobs/${job.id}/cancel`);
    await ended(job.id);
    if (random.chance(UNDONE)) await ask('PUT', `/jobs/${job.id}/undo`);
    await sleep(random.between(PAUSE_MS.least, PAUSE_MS.most));
  }
  caller.close();
}

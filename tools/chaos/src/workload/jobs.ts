import type { RosterClient, RosterError } from '@roster/client';
import { pause, until } from '@roster/harness/until';
import type { Random } from '../random.ts';

/** How long a client leaves the deployment alone between two jobs, in milliseconds. */
const PAUSE_MS = { least: 300, most: 3_000 };
const LOOKS = { withinMs: 20_000, everyMs: 200 };
/** How many jobs are cancelled soon after they were accepted, and how many are undone once they have ended. */
const CANCELLED = 0.15;
const UNDONE = 0.4;

/** Asks until there is a response that is not about a fault. */
const untilResponse = (ask: () => Promise<object>) =>
  until('a response', () => ask().catch(({ status }: RosterError) => status > 0 && status < 500), LOOKS);

/** Changes all agents with a status by a job, and may cancel or undo it. */
async function changeAll({ agents, jobs }: RosterClient, random: Random, signal: AbortSignal): Promise<void> {
  const filter = { status: [random.pick(['active' as const, 'inactive' as const])] };
  const patch = { phoneExt: String(random.between(0, 999_999)) };
  const change = { type: 'update' as const, patch };
  const preview = await agents.bulk.mutate({ filter, change, dryRun: true }, { signal });
  if (!('count' in preview)) return;
  const job = await agents.bulk.mutate({ filter, change, expectedCount: preview.count }, { signal });
  if (!('id' in job)) return;
  const { id } = job;
  if (random.chance(CANCELLED)) await untilResponse(() => jobs.cancel.mutate({ id }));
  const hasEnded = async () => signal.aborted || (await jobs.get.query({ id })).finishedAt !== null;
  await until('the job has ended', hasEnded, LOOKS);
  if (random.chance(UNDONE)) await untilResponse(() => jobs.undo.mutate({ id }));
}

/** One job after another, until told to stop. Those that were accepted are in the table afterwards, so nothing is remembered. */
export async function runJobs(client: RosterClient, random: Random, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // The number of records may be another by the second request: then nothing is changed, and it is tried again.
    await changeAll(client, random, signal).catch(() => undefined);
    await pause(random.between(PAUSE_MS.least, PAUSE_MS.most), signal);
  }
}

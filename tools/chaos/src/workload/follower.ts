import { KEY } from '@roster/harness/server';
import { pause } from '@roster/harness/until';
import { openStream } from '../../../../packages/client/src/events/stream.ts';
import type { Followed } from '../checker/evidence.ts';
import { eventDigestOf } from '../history.ts';

/** Under load there is always something; a stream that is silent for so long has lost its server. */
const SILENCE_MS = 3_000;
const RETRY_MS = 200;
const GONE = 410;

/** The position that a follower has come to. */
export const placeOf = ({ items }: Followed) => items.at(-1)?.position ?? 0;

async function read(followed: Followed, url: string, signal: AbortSignal): Promise<void> {
  const headers = { Authorization: `Bearer ${KEY}` };
  const source = { url, headers, fetch, timeoutMs: SILENCE_MS, idleTimeoutMs: SILENCE_MS };
  const query = new URLSearchParams({ after: String(placeOf(followed)) });
  const { messages } = await openStream(source, { query, signal });
  for await (const { data = '{}' } of messages) {
    const message: { position?: number; status?: number; detail?: string } = JSON.parse(data);
    const { position, status, detail = '' } = message;
    // The problem for which the stream ends, which has no position.
    if (status === GONE) followed.expiries.push(detail);
    if (position !== undefined) followed.items.push({ position, whole: eventDigestOf(message) });
  }
}

/** Follows the stream of events from the start of the log, and goes on wherever it broke off. */
export async function follow(followed: Followed, port: number, signal: AbortSignal): Promise<void> {
  const url = `http://127.0.0.1:${port}/events/stream`;
  while (!signal.aborted) {
    await read(followed, url, signal).catch((error) => {
      if (error.status === GONE) followed.expiries.push(error.message);
    });
    await pause(RETRY_MS, signal);
  }
}

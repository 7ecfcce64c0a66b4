import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Attack, head } from './attack.ts';
import { repeat } from './connections.ts';

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** More words than a search may have, and as many as it may have. */
const WORDS = [99, 8];

/** Searches for many words, few of which narrow the search. */
export const longSearches: Attack = (target, outcomes) => {
  const bytes = (index: number) => {
    const count = WORDS[index % WORDS.length] ?? 1;
    const words = Array.from({ length: count }, (_, word) => String.fromCharCode(97 + ((index + word) % 26)));
    return Buffer.from(head('GET', `/agents?q=${words.join('+')}`, bearer(target.key)));
  };
  return repeat(target, outcomes, { connections: 30, bytes, pauseMs: 50 });
};

const BURST_EVERY_MS = 20_000;

/** The whole rate of a key at one moment, in pages as long as there are: more requests than a server serves at once. */
export const bursts: Attack = (target, outcomes) => {
  const bytes = Buffer.from(head('GET', '/agents?limit=200', bearer(target.key)));
  const repeated = { connections: 300, isBurst: true, pauseMs: BURST_EVERY_MS };
  return repeat(target, outcomes, { ...repeated, bytes: () => bytes });
};

/** Tests of webhooks whose receiver never answers. */
export const webhookTests: Attack = (target, outcomes) => {
  const { webhookIds, key } = target;
  const requests = webhookIds.map((id) =>
    Buffer.from(head('PUT', `/webhooks/${id}/test`, { ...bearer(key), 'Content-Length': 0 })),
  );
  const bytes = (index: number) => requests[index % requests.length] as Buffer;
  return repeat(target, outcomes, { connections: 205, bytes, pauseMs: 500 });
};

const CALLS = 20;

/** Batches whose commas are percent-encoded once, twice or three times, so that they may count as one call. */
export const encodedBatches: Attack = (target, outcomes) => {
  const commas = ['%2C', '%252C', '%25252C'];
  const inputs = Object.fromEntries(Array.from({ length: CALLS }, (_, call) => [call, { limit: 50 }]));
  const input = encodeURIComponent(JSON.stringify(inputs));
  const all = commas.map((comma) => {
    const path = `/trpc/${Array(CALLS).fill('offices.list').join(comma)}?batch=1&input=${input}`;
    return Buffer.from(head('GET', path, bearer(target.key)));
  });
  const bytes = (index: number) => all[index % all.length] as Buffer;
  return repeat(target, outcomes, { connections: 6, bytes, pauseMs: 50 });
};

/** A secret that no key has, as the service makes them: one of another form would not be looked up. */
function wrongSecret(): string {
  const text = `rst_${randomBytes(32).toString('base64url')}`;
  return text + crc32(text).toString(16).padStart(8, '0');
}

/** Keys that do not exist, another one each time. */
export const wrongKeys: Attack = (target, outcomes) => {
  const bytes = () => Buffer.from(head('GET', '/offices', bearer(wrongSecret())));
  return repeat(target, outcomes, { connections: 16, bytes, pauseMs: 50 });
};

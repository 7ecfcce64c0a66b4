import { type Attack, head } from './attack.ts';
import { hold, repeat } from './connections.ts';

const ASSET = '/docs/js/scalar.js';

/** Answers of 4 MB that no client reads, asked for without a key. */
export const unreadAssets: Attack = (target, outcomes) => {
  const bytes = Buffer.from(head('GET', ASSET, {}));
  return hold(target, outcomes, { connections: 150, bytes: () => bytes, isRead: false });
};

const PAGES_A_CONNECTION = 20;

/** Pages of lists that no client reads: many requests sent at once on each connection. */
export const unreadPages: Attack = (target, outcomes) => {
  const one = head('GET', '/agents?limit=200', { Authorization: `Bearer ${target.key}` });
  const bytes = Buffer.from(one.repeat(PAGES_A_CONNECTION));
  return hold(target, outcomes, { connections: 100, bytes: () => bytes, isRead: false });
};

/** Readers of the asset that have it compressed for them each time. */
export const assetReaders: Attack = (target, outcomes) => {
  const codings = ['br', 'gzip'].map((coding) =>
    Buffer.from(head('GET', ASSET, { 'Accept-Encoding': coding })),
  );
  const bytes = (index: number) => codings[index % codings.length] as Buffer;
  return repeat(target, outcomes, { connections: 4, bytes, pauseMs: 10 });
};

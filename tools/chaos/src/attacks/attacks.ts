import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, AttackTarget, Outcomes } from './attack.ts';
import { faultLists, unfinishedImports, unfinishedWithKey, unfinishedWithoutKey } from './bodies.ts';
import { assetReaders, unreadAssets, unreadPages } from './readers.ts';
import { bursts, encodedBatches, longSearches, webhookTests, wrongKeys } from './requests.ts';

const attacks = {
  'unfinished bodies without a key': unfinishedWithoutKey,
  'unfinished bodies with a key': unfinishedWithKey,
  'unfinished imports': unfinishedImports,
  'unread assets': unreadAssets,
  'unread pages': unreadPages,
  'asset readers': assetReaders,
  'fault lists': faultLists,
  'long searches': longSearches,
  bursts,
  'webhook tests': webhookTests,
  'encoded batches': encodedBatches,
  'wrong keys': wrongKeys,
} satisfies Record<string, Attack>;

export type AttackName = keyof typeof attacks;

export const attackNames = Object.keys(attacks) as AttackName[];

/** What attacks call, each with a key of its own. */
export interface AttackOptions extends Omit<AttackTarget, 'key'> {
  keys: Readonly<Record<AttackName, string>>;
  /** The time over which the attacks start, one after the other; all at the same moment unless given. */
  spreadMs?: number;
}

/** Runs some attacks at once until the signal fires; answers what each attacker got. */
export async function runAttacks(
  names: readonly AttackName[],
  { keys, spreadMs = 0, ...options }: AttackOptions,
): Promise<Map<AttackName, Outcomes>> {
  const running = names.map(async (name, index): Promise<[AttackName, Outcomes]> => {
    const outcomes: Outcomes = new Map();
    await sleep((index * spreadMs) / names.length);
    if (options.signal.aborted) return [name, outcomes];
    await attacks[name]({ ...options, key: keys[name] }, outcomes);
    return [name, outcomes];
  });
  return new Map(await Promise.all(running));
}

import type { Random } from '../random.ts';
import { type FaultKind, faults, type PlannedFault } from './faults.ts';

interface PlanOptions {
  count: number;
  durationMs: number;
  kinds: readonly FaultKind[];
}

const BESIDE = 0.25;
const FOR_ALL = 0.25;
const HOLD_MS = { least: 100, most: 3_500 };

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const left = [...items];
  return items.map(() => left.splice(random.between(0, left.length - 1), 1)[0] as Item);
}

/** The faults of a run: every kind once where there is room, then by weight, spread over the time. */
export function planFaults(random: Random, { count, durationMs, kinds }: PlanOptions): PlannedFault[] {
  const first = shuffled(kinds, random);
  const slotMs = durationMs / count;
  return Array.from({ length: count }, (_, number) => ({
    number: number + 1,
    kind: first[number] ?? random.weighted(kinds, (kind) => faults[kind].weight),
    atMs: Math.round(slotMs * (number + random.between(0, 30) / 100)),
    isBeside: random.chance(BESIDE),
    holdMs: random.between(HOLD_MS.least, Math.min(HOLD_MS.most, Math.max(HOLD_MS.least, slotMs))),
    which: random.between(0, 999) / 1_000,
    isForAll: random.chance(FOR_ALL),
    size: random.between(0, 1_000) / 1_000,
  }));
}

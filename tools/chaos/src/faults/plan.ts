import type { Random } from '../random.ts';

/** What can be broken, and how often it is, compared with the others. */
const WEIGHTS = {
  'server killed': 12,
  'server paused': 8,
  'server restarted': 6,
  'server upgraded': 4,
  'clock stepped': 8,
  'PostgreSQL killed': 8,
  'backend killed': 6,
  'backends terminated': 6,
  'backend paused': 6,
  'PostgreSQL paused': 5,
  'link cut': 10,
  'link silent': 5,
  'link slow': 7,
  'clients cut off': 6,
  'disk full': 6,
  'standby killed': 5,
  'replication cut': 5,
  'standby promoted': 8,
  'leader lost': 8,
  'hostile caller': 8,
} as const;

export type FaultKind = keyof typeof WEIGHTS;

export const faultKinds = Object.keys(WEIGHTS) as FaultKind[];

/** One fault, all of it decided before anything runs. */
export interface PlannedFault {
  number: number;
  kind: FaultKind;
  /** Not before so many milliseconds of the run. */
  atMs: number;
  /** Whether it need not wait for the end of the one before it. */
  isBeside: boolean;
  /** How long it lasts, where its kind has a length. */
  holdMs: number;
  /** Which of several things, as a part of their number, from 0 up to 1. */
  which: number;
  /** Whether it meets all of them. */
  isForAll: boolean;
  /** How bad it is, from 0 to 1. */
  size: number;
}

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
  const weights = Object.fromEntries(kinds.map((kind) => [kind, WEIGHTS[kind]])) as Record<FaultKind, number>;
  const first = shuffled(kinds, random);
  const slotMs = durationMs / count;
  return Array.from({ length: count }, (_, number) => ({
    number: number + 1,
    kind: first[number] ?? random.weighted(weights),
    atMs: Math.round(slotMs * (number + random.between(0, 30) / 100)),
    isBeside: random.chance(BESIDE),
    holdMs: random.between(HOLD_MS.least, Math.min(HOLD_MS.most, Math.max(HOLD_MS.least, slotMs))),
    which: random.between(0, 999) / 1_000,
    isForAll: random.chance(FOR_ALL),
    size: random.between(0, 1_000) / 1_000,
  }));
}

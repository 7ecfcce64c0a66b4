import { OURS, REFERENCE } from './contestants.ts';
import { comparedWith, ratioOf } from './figures.ts';
import type { Sample } from './runs.ts';

/** What Roster claims: at least this many times the throughput of another. */
interface Bound {
  work: string;
  against: string;
  ratioMin: number;
}

const reference: Record<string, number> = {
  get: 1.5,
  list: 2,
  search: 1.5,
  create: 1.2,
  patch: 1.2,
  'rpc-get': 1.2,
  'rpc-list': 1.7,
  'rpc-create': 1,
  'rpc-batch': 3,
};

const others: Record<string, number> = {
  stock: 4,
  'express-prisma': 4,
  'nestjs-typeorm': 4,
  postgraphile: 4,
  'fastify-kysely': 1.9,
};

const bounds: Bound[] = [
  ...Object.entries(reference).map(([work, ratioMin]) => ({ work, against: REFERENCE, ratioMin })),
  ...Object.entries(others).map(([against, ratioMin]) => ({ work: 'get', against, ratioMin })),
];

export interface Verdict extends Bound {
  ratio: number;
  isMet: boolean;
}

/** Every bound that was measured, and whether it is met. */
export function judge(samples: Sample[]): Verdict[] {
  return bounds.flatMap((bound) => {
    const ours = { contestant: OURS, work: bound.work };
    const ratio = ratioOf(samples, ours, { contestant: bound.against, work: comparedWith(bound.work) });
    if (ratio === undefined) return [];
    return [{ ...bound, ratio: ratio.median, isMet: ratio.median >= bound.ratioMin }];
  });
}

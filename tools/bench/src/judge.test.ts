import { expect, test } from 'vitest';
import { judge } from './judge.ts';
import type { Sample } from './turns.ts';

const sample = (contestant: string, work: string, turn: number, ratePerS: number): Sample => ({
  contestant,
  work,
  turn,
  ratePerS,
  serverUs: 1e6 / ratePerS,
  databaseUs: 1e6 / ratePerS,
  failures: 0,
  failed: undefined,
  p50Ms: 1,
  p99Ms: 2,
});

test('a ratio is that of the same turn, so that a machine which slows down changes no ratio', () => {
  const samples = [10, 20, 400].flatMap((speed, turn) => [
    sample('node-http-pg', 'get', turn, speed),
    sample('ours', 'get', turn, 2 * speed),
    sample('ours', 'rpc-get', turn, 4 * speed),
  ]);
  expect(judge(samples)).toEqual([
    { work: 'get', bound: 1.2, measured: 2, isMet: true },
    { work: 'rpc-get', bound: 1.2, measured: 4, isMet: true },
  ]);
});

test('a bound is judged where both sides were measured, and is broken below it', () => {
  const samples = [
    sample('node-http-pg', 'search', 0, 100),
    sample('ours', 'search', 0, 179),
    sample('ours', 'list', 0, 100),
  ];
  expect(judge(samples)).toEqual([{ work: 'search', bound: 1.8, measured: 1.79, isMet: false }]);
});

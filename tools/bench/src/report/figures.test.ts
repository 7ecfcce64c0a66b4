import { expect, test } from 'vitest';
import { spreadOf } from '../../../harness/src/statistics.ts';
import { judge } from './bounds.ts';
import { figuresOf } from './figures.ts';
import type { Sample } from './sample.ts';

function sample(contestant: string, work: string, turn: number, ratePerS: number): Sample {
  return {
    contestant,
    work,
    turn,
    ratePerS,
    serverUs: 1e6 / ratePerS,
    databaseUs: undefined,
    served: 1_000,
    failures: 0,
    firstFailure: undefined,
    latency: undefined,
  };
}

test('a median or quartile that falls between two values is between them', () => {
  expect(spreadOf([4, 1, 3, 2])).toEqual({ min: 1, low: 1.75, median: 2.5, high: 3.25, max: 4 });
  expect(spreadOf([])).toBeUndefined();
});

test('a ratio is that of the same turn, so that a machine which slows down changes no ratio', () => {
  const samples = [10, 20, 400].flatMap((speed, turn) => [
    sample('node-http-pg', 'get', turn, speed),
    sample('ours', 'get', turn, 2 * speed),
    sample('ours', 'rpc-batch', turn, 4 * speed),
  ]);
  const ratios = figuresOf(samples).map(({ contestant, work, ratio }) => [contestant, work, ratio?.median]);
  expect(ratios).toEqual([
    ['node-http-pg', 'get', 1],
    ['ours', 'get', 2],
    ['ours', 'rpc-batch', 4],
  ]);
});

test('a bound is judged where both sides were measured', () => {
  const samples = [sample('node-http-pg', 'search', 0, 100), sample('ours', 'search', 0, 149)];
  expect(judge(samples)).toEqual([
    { claim: 'search: throughput to node-http-pg', bound: '≥ 1.5', measured: '1.49', isMet: false },
  ]);
});

test('CPU is bounded by the share of what the reference needs in the same turn', () => {
  const samples = [sample('node-http-pg', 'get', 0, 5_000), sample('ours', 'get', 0, 10_000)];
  expect(judge(samples)).toContainEqual({
    claim: 'get: CPU of the server to node-http-pg',
    bound: '≤ 0.58 (75 of 130 µs)',
    measured: '0.50 (100 of 200 µs)',
    isMet: true,
  });
});

test('the memory is judged after 500,000 requests', () => {
  const memoryAfter = (requests: number) => new Map([['ours', { bytes: 151e6, requests }]]);
  expect(judge([], memoryAfter(499_999))).toEqual([]);
  expect(judge([], memoryAfter(500_000))).toMatchObject([{ measured: '151 MB', isMet: false }]);
});

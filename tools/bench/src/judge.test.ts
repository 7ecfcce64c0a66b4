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
    sample('ours', 'rpc-batch', turn, 4 * speed),
  ]);
  const throughputs = judge(samples).filter(({ claim }) => claim.includes('throughput'));
  expect(throughputs.map(({ claim, measured }) => [claim, measured])).toEqual([
    ['get: throughput to node-http-pg', '2.00'],
    ['rpc-batch: throughput to node-http-pg', '4.00'],
  ]);
});

test('a bound is judged where both sides were measured', () => {
  const samples = [sample('node-http-pg', 'search', 0, 100), sample('ours', 'search', 0, 149)];
  expect(judge(samples)).toEqual([
    { claim: 'search: throughput to node-http-pg', bound: '≥ 1.5', measured: '1.49', isMet: false },
    { claim: 'search: p99 to node-http-pg', bound: '≤ 1', measured: '1.00', isMet: true },
  ]);
});

test('CPU is bounded by the share of what the reference needs in the same turn', () => {
  const samples = [sample('node-http-pg', 'get', 0, 5_000), sample('ours', 'get', 0, 10_000)];
  expect(judge(samples)).toContainEqual({
    claim: 'get: CPU of the server to node-http-pg',
    bound: '≤ 0.58',
    measured: '0.50',
    isMet: true,
  });
});

test('the memory is judged after 500,000 requests', () => {
  const memoryAfter = (requests: number) => [{ name: 'ours', title: 'Roster', megabytes: 151, requests }];
  expect(judge([], memoryAfter(499_999))).toEqual([]);
  expect(judge([], memoryAfter(500_000))).toMatchObject([{ measured: '151 MB', isMet: false }]);
});

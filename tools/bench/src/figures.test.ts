import { expect, test } from 'vitest';
import { judge } from './bounds.ts';
import { figuresOf, spreadOf } from './figures.ts';
import type { Sample } from './runs.ts';

function sample(contestant: string, work: string, round: number, ratePerS: number): Sample {
  return {
    contestant,
    work,
    round,
    ratePerS,
    serverUs: 1e6 / ratePerS,
    databaseUs: undefined,
    failures: 0,
    firstFailure: undefined,
    latency: undefined,
  };
}

test('the median of an even number of values is between the two in the middle', () => {
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 });
  expect(spreadOf([])).toBeUndefined();
});

test('a ratio is that of the same round, so that a machine which slows down changes no ratio', () => {
  const samples = [10, 20, 400].flatMap((speed, round) => [
    sample('node-http-pg', 'get', round, speed),
    sample('ours', 'get', round, 2 * speed),
    sample('ours', 'rpc-batch', round, 4 * speed),
  ]);
  const ratios = figuresOf(samples).map(({ contestant, work, ratio }) => [contestant, work, ratio?.median]);
  expect(ratios).toEqual([
    ['node-http-pg', 'get', 1],
    ['ours', 'get', 2],
    ['ours', 'rpc-batch', 4],
  ]);
});

test('a bound is judged where both sides were measured', () => {
  const samples = [sample('node-http-pg', 'get', 0, 100), sample('ours', 'get', 0, 149)];
  expect(judge(samples)).toEqual([
    { work: 'get', against: 'node-http-pg', ratioMin: 1.5, ratio: 1.49, isMet: false },
  ]);
});

import { UsageError } from '@roster/harness/options';
import { describe, expect, it } from 'vitest';
import { readChaosOptions } from './options.ts';

describe('the command line', () => {
  it('is ten minutes with 120 faults unless it says otherwise', () => {
    expect(readChaosOptions([])).toMatchObject({ durationMs: 600_000, faults: 120, servers: 3 });
    const asked = ['--seed', '7', '--minutes', '2', '--kinds', 'disk full, link cut'];
    expect(readChaosOptions(asked)).toMatchObject({
      seed: 7,
      durationMs: 120_000,
      faults: 24,
      kinds: ['disk full', 'link cut'],
    });
  });

  it('has a short form of a few seconds', () => {
    const { durationMs, faults, kinds } = readChaosOptions(['--short']);
    expect(durationMs).toBeLessThan(6_000);
    expect(faults).toBe(kinds.length);
  });

  it.each([
    ['--minutes', 'soon'],
    ['--seed', ' '],
    ['--kinds', 'meteor'],
    ['--fault', '3'],
    ['--faults', '-1'],
  ])('is rejected with %s %s, and the usage is printed', (...args) => {
    expect(() => readChaosOptions(args)).toThrow(UsageError);
    expect(() => readChaosOptions(args)).toThrow(/npm run chaos/);
  });
});

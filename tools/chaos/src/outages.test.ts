import { expect, it } from 'vitest';
import { attemptOf } from './checker/forged/forged.ts';
import type { MadeFault } from './faults/faults.ts';
import { outagesOf } from './outages.ts';

const fault = (startMs: number, endMs: number): MadeFault => ({
  number: 1,
  kind: 'link cut',
  startMs,
  endMs,
  what: 'link 0',
  isWhole: true,
});
const read = (endMs: number) => attemptOf({ operation: 'c0-0', verb: 'get', endMs });
const write = (endMs: number) => attemptOf({ operation: 'c0-1', verb: 'update', endMs });

it('counts the longest time without a success from a fault to the next, and that until the first write', () => {
  const attempts = [write(90), read(300), write(900), read(950), write(1_000), write(5_000)];
  expect(outagesOf([fault(100, 500), fault(960, 990)], attempts)).toMatchObject([
    { darkMs: 600, unwritableMs: 800, recoveryMs: 400 },
    { darkMs: 40, unwritableMs: 40, recoveryMs: 10 },
  ]);
});

it('takes neither an error nor an unknown outcome for a success', () => {
  const attempts = [{ ...write(200), status: 503 }, { ...write(300), status: 404 }, write(700)];
  expect(outagesOf([fault(100, 150)], attempts)).toMatchObject([{ darkMs: 600, recoveryMs: 550 }]);
});

import { expect, it } from 'vitest';
import { statusOf } from './job-labels.tsx';

it('a file that was only checked is not said to be completed, as in the list of imports', () => {
  const change = { type: 'import', step: 'check' };
  for (const status of ['completed', 'completed_with_errors'] as const)
    expect(statusOf({ status, undoneBy: null, change }).label.message).toBe('Preview only');
  const written = {
    status: 'completed_with_errors',
    undoneBy: null,
    change: { ...change, step: 'write' },
  } as const;
  expect(statusOf(written).label.message).toBe('Completed with errors');
  expect(statusOf({ ...written, change, status: 'failed' }).label.message).toBe('Failed');
});

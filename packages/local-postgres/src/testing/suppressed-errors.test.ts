import { expect, it } from 'vitest';

it('shows what a test fails with if the disposal of what it used fails too', () => {
  const failed = new Error('the test failed');
  const disposal = new Error('the disposal failed');
  const { cause } = new SuppressedError(disposal, failed);
  expect(cause).toBe(failed);
  expect((cause as Error).cause).toBe(disposal);
});

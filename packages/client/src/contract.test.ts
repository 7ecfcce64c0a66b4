import { operations } from '@roster/api';
import { expect, it } from 'vitest';
import { repeatable } from './repeatable.ts';

it('the contract lists exactly the procedures that take an idempotency key', () => {
  const taking = operations.filter(({ isRepeatable }) => isRepeatable).map(({ procedure }) => procedure);
  expect([...repeatable]).toEqual(taking);
});

import { readFileSync } from 'node:fs';
import { operations } from '@roster/api';
import { expect, it } from 'vitest';
import { contractText } from '../scripts/contract.ts';
import { repeatable } from './contract.ts';

it('the contract is up to date with the schemas of the service (`npm run generate`)', () => {
  expect(readFileSync(new URL('contract.ts', import.meta.url), 'utf8')).toBe(contractText());
});

it('the contract lists exactly the procedures that take an idempotency key', () => {
  const taking = operations.filter(({ isRepeatable }) => isRepeatable).map(({ procedure }) => procedure);
  expect([...repeatable]).toEqual(taking);
});

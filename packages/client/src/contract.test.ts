import { readFileSync } from 'node:fs';
import { operations } from '@roster/api';
import { expect, it } from 'vitest';
import { contractText } from '../scripts/contract.ts';
import { repeatable } from './contract.ts';

it('has the types of the schemas (`pnpm --filter @roster/client contract` brings them up to date)', () => {
  expect(readFileSync(new URL('contract.ts', import.meta.url), 'utf8')).toBe(contractText());
});

it('knows every procedure that takes an idempotency key, and no other', () => {
  const taking = operations.filter(({ isRepeatable }) => isRepeatable).map(({ procedure }) => procedure);
  expect([...repeatable]).toEqual(taking);
});

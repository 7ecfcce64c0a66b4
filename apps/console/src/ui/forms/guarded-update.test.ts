import { expect, it } from 'vitest';
import { changesOf, clashesOf } from './guarded-update.ts';

const base = { name: 'Website', scopes: ['offices:read'], expiresAt: null as string | null };

it('only the fields that a form has changed are written', () => {
  expect(changesOf(base, { ...base, scopes: ['offices:read'], name: 'Shop' })).toEqual({ name: 'Shop' });
  expect(changesOf(base, structuredClone(base))).toEqual({});
});

it('a field that somebody else has changed since clashes, if it is written', () => {
  const current = { ...base, name: 'Site' };
  expect(clashesOf({ name: 'Shop' }, { base, current })).toEqual(['name']);
  expect(clashesOf({ scopes: ['agents:read'] }, { base, current })).toEqual([]);
});

it('nothing clashes if both have written the same', () => {
  expect(clashesOf({ name: 'Shop' }, { base, current: { ...base, name: 'Shop' } })).toEqual([]);
});

import { expect, it } from 'vitest';
import { nearest } from './errors.ts';

it.each([
  ['nmae', ['name', 'status'], 'name'],
  ['STATUS', ['name', 'status'], 'status'],
  ['activ', ['active', 'inactive'], 'active'],
  ['officeid', ['id', 'officeId'], 'officeId'],
  ['x', ['name', 'status'], undefined],
  ['height', ['name', '-name'], undefined],
  ['name', [], undefined],
])('for %s, the closest of %j is %s', (typed, names, expected) => {
  expect(nearest(typed, names)).toBe(expected);
});

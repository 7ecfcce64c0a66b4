import fc from 'fast-check';
import { expect, it } from 'vitest';
import { differences, mergePatch } from './changes.ts';

it('names the fields that differ, without what every change sets', () => {
  const before = {
    version: 1,
    updatedAt: 'a',
    title: null,
    address: { city: 'Porto', line1: null },
    tags: ['a'],
  };
  const after = {
    version: 2,
    updatedAt: 'b',
    title: 'Broker',
    address: { line1: null, city: 'Porto' },
    tags: ['b'],
  };
  expect(differences(before, after)).toEqual([
    { field: 'title', before: null, after: 'Broker' },
    { field: 'tags', before: ['a'], after: ['b'] },
  ]);
});

it('takes an absent field and null for the same', () => {
  expect(differences({ title: null }, { title: undefined, phone: null })).toEqual([]);
});

it('merges as RFC 7396 does', () => {
  const target = {
    title: 'Goodbye!',
    author: { givenName: 'John', familyName: 'Doe' },
    tags: ['example', 'sample'],
  };
  const patch = { title: 'Hello!', phoneNumber: '+01', author: { familyName: null }, tags: ['example'] };
  expect(mergePatch(target, patch)).toEqual({
    title: 'Hello!',
    author: { givenName: 'John', familyName: null },
    tags: ['example'],
    phoneNumber: '+01',
  });
});

it('finds no difference after an empty patch, and none of a patch made twice', () => {
  const record = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(record, record, (before, patch) => {
      expect(differences(before, mergePatch(before, {}) as object as Record<string, unknown>)).toEqual([]);
      const once = mergePatch(before, patch) as Record<string, unknown>;
      expect(differences(once, mergePatch(once, patch) as Record<string, unknown>)).toEqual([]);
    }),
  );
});

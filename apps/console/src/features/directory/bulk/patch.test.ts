import { expect, it } from 'vitest';
import { isComplete, patchFields, patchOf } from './patch.ts';

const cleared = (path: string) => ({ path, value: '', isCleared: true });
const set = (path: string, value: string) => ({ path, value, isCleared: false });

it('a patch has null for what is cleared, and the parts of an address in the address', () => {
  const entries = [
    set('title', ' Broker '),
    cleared('phone'),
    set('address.city', 'Porto'),
    cleared('address.line2'),
  ];
  expect(patchOf('agents', entries)).toEqual({
    title: 'Broker',
    phone: null,
    address: { city: 'Porto', line2: null },
  });
});

it('a list is separated by commas, and is empty when it is cleared', () => {
  expect(patchOf('agents', [set('languages', 'pt-PT, en,,')])).toEqual({ languages: ['pt-PT', 'en'] });
  expect(patchOf('agents', [cleared('languages')])).toEqual({ languages: [] });
});

it('what is of one record alone is not offered: licences, the source, own fields', () => {
  for (const resource of ['agents', 'offices'] as const) {
    const paths = patchFields(resource).map(({ path }) => path);
    expect(paths).toContain('address.city');
    expect(paths.filter((path) => /^(licenses|source|metadata|affiliations)/.test(path))).toEqual([]);
  }
});

it('a field without a value says nothing, unless it is cleared', () => {
  expect([set('phone', ' '), set('phone', '1'), cleared('phone')].map(isComplete)).toEqual([
    false,
    true,
    true,
  ]);
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findMembers, hasRepeatedMembers, membersIn } from './json-members.ts';

/** The paths of all members, and whether they are repeated. */
const placesIn = (json: string) =>
  Array.from(membersIn(json), ({ path, isRepeated }) => ({ path: path(), isRepeated }));

/** The paths of all members of a value, in their order. */
function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const own = [...path, name];
    return [...(Array.isArray(value) ? [] : [own]), ...pathsOf(member, own)];
  });
}

it('finds every member of JSON at its place, and none that is repeated where every name is there once', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, space) => {
      const json = JSON.stringify(value, undefined, space);
      const parsed: unknown = JSON.parse(json);
      expect(hasRepeatedMembers(json, parsed)).toBe(false);
      expect(placesIn(json)).toEqual(pathsOf(parsed).map((path) => ({ path, isRepeated: false })));
    }),
    { numRuns: 1_000 },
  );
});

it('finds a name that an object has twice, wherever it is and however it is written', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), (name, one, other) => {
      const escaped = `"${Array.from({ length: name.length }, (_, at) => `\\u${name.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
      const members = `${JSON.stringify(name)}:${JSON.stringify(one)},${escaped} : ${JSON.stringify(other)}`;
      const json = `[${JSON.stringify(one)},{"a":{${members}}}]`;
      expect(hasRepeatedMembers(json, JSON.parse(json))).toBe(true);
      const repeated = placesIn(json).filter(({ isRepeated }) => isRepeated);
      expect(repeated).toEqual([{ path: ['1', 'a', name], isRepeated: true }]);
    }),
    { numRuns: 1_000 },
  );
});

it('looks no further after a hundred members, or a thousand names on the way to them', () => {
  const isRepeated = (member: { isRepeated: boolean }) => member.isRepeated;
  expect(findMembers(`{"a":1${',"a":2'.repeat(1_000)}}`, isRepeated)).toHaveLength(100);
  const [depth, twice] = [30_000, ',"a":2'.repeat(1_000)];
  const deep = `${'{"a":'.repeat(depth)}{"a":1${twice}}${'}'.repeat(depth)}`;
  expect(findMembers(deep, isRepeated).map(({ path }) => path.length)).toEqual([depth + 1]);
});

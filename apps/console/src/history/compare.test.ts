import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differencesBetween, isVersion, type VersionChange, versionsOf } from './compare.ts';

const change = (version: number, changes: VersionChange['changes'], verb = 'updated') => ({
  version,
  type: `agent.${verb}` as VersionChange['type'],
  changes,
});

describe('two versions', () => {
  it('differ in what was changed between them, with the first value before and the last after', () => {
    const changes = [
      change(3, [{ field: 'phone', before: '2', after: '3' }]),
      change(2, [
        { field: 'phone', before: '1', after: '2' },
        { field: 'title', before: null, after: 'Broker' },
      ]),
      change(4, [{ field: 'email', before: null, after: 'a@b.example' }]),
    ];
    expect(differencesBetween(changes, { from: 1, to: 3 })).toEqual([
      { field: 'phone', before: '1', after: '3' },
      { field: 'title', before: null, after: 'Broker' },
    ]);
  });

  it('do not differ in what was changed and changed back', () => {
    const changes = [
      change(2, [{ field: 'phone', before: null, after: '2' }]),
      change(3, [{ field: 'phone', before: '2', after: null }]),
    ];
    expect(differencesBetween(changes, { from: 1, to: 3 })).toEqual([]);
  });

  it('are not made by an event that changes nothing', () => {
    const changes = [change(2, []), change(2, [], 'license_expiring'), change(1, [], 'created')];
    expect(changes.map(isVersion)).toEqual([true, false, true]);
    expect(versionsOf(changes)).toEqual([2, 1]);
  });
});

it('for any history, the differences are those of the two states', () => {
  const state = fc.dictionary(fc.constantFrom('phone', 'title', 'email'), fc.constantFrom('1', '2'));
  void fc.assert(
    fc.property(fc.array(state, { minLength: 2, maxLength: 8 }), fc.nat(), fc.nat(), (states, one, other) => {
      const fields = ['phone', 'title', 'email'];
      const valueAt = (version: number, field: string) => states[version - 1]?.[field] ?? null;
      const differ = (from: number, to: number) =>
        fields
          .map((field) => ({ field, before: valueAt(from, field), after: valueAt(to, field) }))
          .filter(({ before, after }) => before !== after);
      const changes = states.map((_, index) =>
        change(index + 1, index === 0 ? [] : differ(index, index + 1)),
      );
      const [from, to] = [(one % states.length) + 1, (other % states.length) + 1].toSorted(
        (a, b) => a - b,
      ) as [number, number];
      const found = differencesBetween(changes.toReversed(), { from, to });
      const byField = (a: { field: string }, b: { field: string }) => a.field.localeCompare(b.field);
      expect(found.toSorted(byField)).toEqual(differ(from, to).toSorted(byField));
    }),
  );
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contracts, fieldOf } from '../../../api/contract/contracts.ts';
import type { FieldContract } from '../../../api/contract/types.ts';
import {
  emptyRow,
  type FormValue,
  fromForm,
  isEqual,
  mergedRows,
  patchValue,
  toForm,
  withoutBlankRows,
} from './form-values.ts';

const field = (name: string, resource: 'agents' | 'teams' = 'agents'): FieldContract => {
  const found = fieldOf(resource, name);
  if (found === undefined) throw new Error(`${name} is no field`);
  return found;
};

describe('a form', () => {
  it.each(contracts.agents.fields.map((one) => one.name))('gives back %s as it was read', (name) => {
    const value = field(name).example ?? null;
    expect(fromForm(field(name), toForm(field(name), value))).toEqual(value);
  });

  it('trims texts, and clears what is empty', () => {
    expect(fromForm(field('phone'), '  210 ')).toBe('210');
    expect(fromForm(field('phone'), '   ')).toBeNull();
    expect(fromForm(field('address'), { line1: '', city: ' ' })).toBeNull();
  });

  it('leaves out blank rows, so that an error of the service is about the row that has its number', () => {
    const rows = [{ value: '' }, { value: 'pt' }, { value: 'en' }];
    expect(withoutBlankRows(field('languages'), rows)).toEqual(rows.slice(1));
    expect(fromForm(field('languages'), rows)).toEqual(['pt', 'en']);
  });

  it('shows a new affiliation to the public, unless it is said otherwise', () => {
    expect(toForm(field('affiliations'), [{ officeId: 'a' }])).toEqual([
      { officeId: 'a', title: '', isVisible: true, since: '' },
    ]);
  });

  it('gives a new item what the service would give it, and leaves it out if it has no more', () => {
    const members = field('members', 'teams');
    const fresh = emptyRow(members);
    expect(fresh).toEqual({ agentId: '', role: 'member', title: '', since: '', until: '' });
    expect(fromForm(members, [fresh])).toEqual([]);
    expect(fromForm(members, [{ ...fresh, agentId: 'a' }])).toMatchObject([{ role: 'member' }]);
  });

  it('changes a map by its pairs, with null for one that goes', () => {
    const pairs = [
      { name: 'a', text: '1' },
      { name: 'c', text: '3' },
    ];
    expect(patchValue(field('metadata'), pairs, { a: '0', b: '2' })).toEqual({ a: '1', b: null, c: '3' });
  });
});

it('two values are the same whatever the order of their members', () => {
  expect(isEqual({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toBe(true);
  expect(isEqual([1, 2], [2, 1])).toBe(false);
  expect(isEqual([], {})).toBe(false);
  expect(isEqual(null, {})).toBe(false);
});

const license = (number: string, expiresOn = '') => ({ number, region: '', type: '', expiresOn });
const values = (...texts: string[]) => texts.map((value) => ({ value }));

describe('a merge of rows', () => {
  it('takes what one of both has added, changed or removed', () => {
    const three = {
      base: [license('A', '2030-01-01'), license('B')],
      mine: [license('A', '2030-01-01'), license('B'), license('MINE')],
      theirs: [license('A', '2032-01-01'), license('THEIRS')],
    };
    expect(mergedRows(field('licenses'), three)).toEqual([
      license('A', '2032-01-01'),
      license('THEIRS'),
      license('MINE'),
    ]);
  });

  it('is left to a person if both have changed a row, or one has removed it', () => {
    const base = [license('A')];
    const theirs = [license('A', '2032-01-01')];
    expect(
      mergedRows(field('licenses'), { base, mine: [license('A', '2031-01-01')], theirs }),
    ).toBeUndefined();
    expect(mergedRows(field('licenses'), { base, mine: [], theirs })).toBeUndefined();
  });

  it('is left to a person for an order, for the same row twice, and for what is no list', () => {
    const three = { base: values('pt', 'en'), mine: values('en', 'pt'), theirs: values('pt', 'en', 'fr') };
    expect(mergedRows(field('languages'), three)).toBeUndefined();
    expect(mergedRows(field('languages'), { ...three, mine: values('pt', 'en', 'en') })).toBeUndefined();
    expect(mergedRows(field('phone'), { base: '1', mine: '2', theirs: '3' })).toBeUndefined();
  });
});

const rows = fc
  .uniqueArray(fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.constantFrom('', '2030-01-01', '2031-01-01')), {
    selector: ([number]) => number,
  })
  .map((all) => all.toSorted().map(([number, day]) => license(number, day)));

describe('for any rows, a merge', () => {
  const licenses = field('licenses');
  const byNumber = (value: FormValue | undefined) =>
    Array.isArray(value)
      ? value.toSorted((one, other) => String(one.number).localeCompare(String(other.number)))
      : value;

  it('with unchanged rows is mine, and without changes of mine it is theirs', () => {
    void fc.assert(
      fc.property(rows, rows, (base, changed) => {
        expect(byNumber(mergedRows(licenses, { base, mine: changed, theirs: base }))).toEqual(changed);
        expect(byNumber(mergedRows(licenses, { base, mine: base, theirs: changed }))).toEqual(changed);
        expect(byNumber(mergedRows(licenses, { base, mine: changed, theirs: changed }))).toEqual(changed);
      }),
    );
  });

  it('has the same rows in either order of the two changes', () => {
    void fc.assert(
      fc.property(rows, rows, rows, (base, one, other) => {
        const merged = mergedRows(licenses, { base, mine: one, theirs: other });
        expect(byNumber(mergedRows(licenses, { base, mine: other, theirs: one }))).toEqual(byNumber(merged));
      }),
    );
  });
});

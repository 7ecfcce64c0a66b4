import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contracts } from '../../../../api/contract/contracts.ts';
import { isEqual, type Json } from './form-values.ts';
import { mergeRecords } from './merge.ts';

const { fields } = contracts.agents;
const license = (number: string, expiresOn: string | null = null) => ({
  number,
  region: null,
  type: null,
  expiresOn,
});
const city = (name: string, postalCode: string | null = null) => ({
  line1: null,
  line2: null,
  city: name,
  county: null,
  region: null,
  postalCode,
  country: 'PT',
});

const merge = (base: Json, mine: Json, theirs: Json) => mergeRecords(fields, { base, mine, theirs });

describe('a merge', () => {
  it('takes what only one of both has changed, without asking', () => {
    const base = { phone: '1', title: 'A', email: 'a@b.example' };
    const merged = merge(base, { phone: '2' }, { ...base, title: 'B' });
    expect(merged).toEqual({ values: { phone: '2' }, clashes: [], taken: ['title'] });
  });

  it('asks for what both have changed to different values', () => {
    const { clashes, values } = merge({ phone: '1' }, { phone: '2' }, { phone: '3' });
    expect(clashes).toEqual([{ path: 'phone', base: '1', mine: '2', theirs: '3' }]);
    expect(values).toEqual({ phone: '2' });
  });

  it('does not ask if both have changed it to the same value', () => {
    expect(merge({ phone: '1' }, { phone: '2' }, { phone: '2' }).clashes).toEqual([]);
  });

  it('keeps the choice of a person', () => {
    const three = { base: { phone: '1' }, mine: { phone: '2' }, theirs: { phone: '3' } };
    expect(mergeRecords(fields, three, { phone: 'theirs' }).values).toEqual({ phone: '3' });
    expect(mergeRecords(fields, three, { phone: 'mine' }).values).toEqual({ phone: '2' });
  });

  it('merges the parts of an address', () => {
    const { values, clashes } = merge(
      { address: city('Lisboa', '1100') },
      { address: city('Porto', '1100') },
      { address: city('Lisboa', '1200') },
    );
    expect(clashes).toEqual([]);
    expect(values.address).toEqual(city('Porto', '1200'));
  });

  it('merges the licences by number, and asks for a part of one that both have changed', () => {
    const { values, clashes } = merge(
      { licenses: [license('A', '2030-01-01'), license('B')] },
      { licenses: [license('A', '2031-01-01'), license('B'), license('C')] },
      { licenses: [license('A', '2032-01-01'), license('D')] },
    );
    expect(clashes.map(({ path }) => path)).toEqual(['licenses.A.expiresOn']);
    expect(values.licenses).toEqual([license('A', '2031-01-01'), license('D'), license('C')]);
  });

  it('asks whether an item goes that one has removed and the other has changed', () => {
    const { clashes } = merge(
      { licenses: [license('A')] },
      { licenses: [] },
      { licenses: [license('A', '2030-01-01')] },
    );
    expect(clashes).toEqual([
      { path: 'licenses.A', base: license('A'), mine: undefined, theirs: license('A', '2030-01-01') },
    ]);
  });

  it('merges lists of texts as sets, and pairs of metadata by name', () => {
    const { values, clashes } = merge(
      { languages: ['pt', 'en'], metadata: { a: '1', b: '1' } },
      { languages: ['pt', 'en', 'fr'], metadata: { a: '2', b: '1' } },
      { languages: ['en', 'es'], metadata: { a: '1', c: '1' } },
    );
    expect(clashes).toEqual([]);
    expect(values).toEqual({ languages: ['en', 'es', 'fr'], metadata: { a: '2', c: '1' } });
  });
});

const text = fc.option(fc.constantFrom('1', '2', '3'), { nil: null });
const arbitrary = fc.record({
  phone: text,
  languages: fc.uniqueArray(fc.constantFrom('pt', 'en', 'fr', 'es')),
  licenses: fc.uniqueArray(
    fc.tuple(fc.constantFrom('A', 'B', 'C'), text).map(([number, day]) => license(number, day)),
    { selector: ({ number }) => number },
  ),
  metadata: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2')),
});
const names = ['phone', 'languages', 'licenses', 'metadata'];

describe('for any records', () => {
  it('the merge with an unchanged record is mine, and without changes of mine it is theirs', () => {
    void fc.assert(
      fc.property(arbitrary, arbitrary, (base, changed) => {
        expect(merge(base, changed, base)).toMatchObject({ values: changed, clashes: [] });
        expect(merge(base, base, changed)).toMatchObject({ values: changed, clashes: [] });
        expect(merge(base, changed, changed)).toMatchObject({ values: changed, clashes: [] });
      }),
    );
  });

  it('who changed a field alone has it', () => {
    void fc.assert(
      fc.property(arbitrary, arbitrary, arbitrary, (base, mine, theirs) => {
        const { values } = merge(base, mine, theirs);
        for (const name of names as (keyof typeof base)[]) {
          if (isEqual(mine[name], base[name])) expect(values[name]).toEqual(theirs[name]);
          if (isEqual(theirs[name], base[name])) expect(values[name]).toEqual(mine[name]);
        }
      }),
    );
  });

  it('it asks the same whoever comes first', () => {
    void fc.assert(
      fc.property(arbitrary, arbitrary, arbitrary, (base, mine, theirs) => {
        const paths = ({ clashes }: ReturnType<typeof merge>) => clashes.map(({ path }) => path).toSorted();
        expect(paths(merge(base, mine, theirs))).toEqual(paths(merge(base, theirs, mine)));
      }),
    );
  });
});

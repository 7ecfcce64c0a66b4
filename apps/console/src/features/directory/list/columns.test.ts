import { setupI18n } from '@lingui/core';
import { englishTitle } from '@roster/import/people';
import { describe, expect, it } from 'vitest';
import { mapResources, resourceNames } from '../../../api/contract/contracts.ts';
import { defaultColumnsOf } from '../../../resources/index.ts';
import { columnLabel, fittingColumns, nextSort, rowSizes, sortOf } from './columns.ts';

/** The width of a list in a window of 1,440 pixels, beside the navigation. */
const AT_1440 = 1_198;
/** The same with a record open beside the list. */
const BESIDE_RECORD = 718;

const widthOf = (columns: readonly string[]) =>
  Number.parseInt(rowSizes(columns, {})['--row-width'] ?? '', 10);

describe('the columns of a list', () => {
  it('shown by default all fit in a window 1,440 pixels wide', () => {
    const all = mapResources((name) => defaultColumnsOf(name));
    for (const name of resourceNames) {
      expect(widthOf(all[name]), name).toBeLessThanOrEqual(AT_1440);
      expect(fittingColumns(all[name], {}, AT_1440)).toEqual(all[name]);
    }
  });

  it('are called the same in English in files of the command line', () => {
    const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
    for (const resource of resourceNames) {
      for (const name of [...defaultColumnsOf(resource), ...(resource === 'agents' ? ['mobilePhone'] : [])])
        expect(englishTitle(name), `${resource} ${name}`).toBe(columnLabel(i18n, resource, name));
    }
  });

  it('sort by the city where agents work, and not by that of other records', () => {
    expect(sortOf('agents', 'address.city')).toBe('city');
    expect(nextSort('agents', 'address.city', 'city')).toBe('-city');
    expect(sortOf('offices', 'address.city')).toBeUndefined();
  });

  it('leave where there is less room: email, phone and city first, then those at the end', () => {
    const columns = ['displayName', 'officeId', 'address.city', 'phone', 'email', 'nextLicenseExpiresOn'];
    const without = (...names: string[]) => columns.filter((name) => !names.includes(name));
    expect(fittingColumns(columns, {}, 1_000)).toEqual(without('email'));
    expect(fittingColumns(columns, {}, 800)).toEqual(without('email', 'phone'));
    expect(fittingColumns(columns, {}, BESIDE_RECORD)).toEqual(without('email', 'phone'));
    expect(fittingColumns(columns, {}, 680)).toEqual(without('email', 'phone', 'address.city'));
    expect(fittingColumns(columns, {}, 10)).toEqual(['displayName']);
  });

  it('keep the width that someone has given them, and the others grow', () => {
    const sizes = rowSizes(['name', 'phone'], { name: 500 });
    expect(sizes['--columns']).toBe('48px 500px minmax(168px,168fr)');
  });

  it('of names give way before a column leaves', () => {
    const sizes = rowSizes(['name', 'email'], {});
    expect(sizes['--columns']).toBe('48px minmax(216px,264px) minmax(240px,240fr)');
    expect(sizes['--row-width']).toBe('504px');
  });
});

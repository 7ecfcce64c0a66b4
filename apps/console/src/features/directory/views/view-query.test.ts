import { describe, expect, it } from 'vitest';
import { isDirty, queryOf, queryPatch, searchOf } from './view-query.ts';

const view = {
  id: 'v1',
  query: { status: ['active'], sort: '-updatedAt' },
  columns: [{ name: 'displayName', width: 240 }, { name: 'email' }, { name: 'fax', isHidden: true }],
};

describe('a saved view', () => {
  it('opens with its filters, its order and its visible columns', () => {
    expect(searchOf(view)).toEqual({
      status: ['active'],
      sort: '-updatedAt',
      columns: ['displayName', 'email'],
      view: 'v1',
    });
  });

  it('is unchanged when it is opened, however its URL writes one value', () => {
    expect(isDirty(view, searchOf(view))).toBe(false);
    expect(isDirty(view, { ...searchOf(view), status: 'active' })).toBe(false);
  });

  it.each([
    ['another filter', { region: '11' }],
    ['a filter less', { status: undefined }],
    ['another order', { sort: 'lastName' }],
    ['another order of columns', { columns: ['email', 'displayName'] }],
  ])('is changed by %s', (_, change) => {
    expect(isDirty(view, { ...searchOf(view), ...change })).toBe(true);
  });

  it('is saved without itself and without the columns, which it holds apart', () => {
    expect(queryOf(searchOf(view))).toEqual(view.query);
  });

  it('loses the filters that are gone when it is saved again', () => {
    expect(queryPatch(view.query, { sort: 'lastName' })).toEqual({ status: null, sort: 'lastName' });
  });
});

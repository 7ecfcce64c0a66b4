import { expect, it } from 'vitest';
import { describeRights, proceduresWithoutRow } from '../../test/support/rights-table.ts';

describeRights('few');

it('every operation that manages access has a row in the table of rights', () => {
  expect(
    proceduresWithoutRow(),
    'Add a row for each of these operations to test/support/rights-table.ts: what callers with fewer, equal and more rights ' +
      'than the key or person it is about get, and what the operation changes.',
  ).toEqual([]);
});

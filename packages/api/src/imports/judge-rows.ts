import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { CountrySources } from '../engine/write/telephone-countries.ts';
import type { ImportDefinition } from './definitions.ts';
import { findExisting } from './find-records.ts';
import { judgeItems, sortItems } from './judge-items.ts';
import { judgeMatches, type Matching } from './judge-matches.ts';
import { judgeAffiliations, judgeArrivals, judgeCycles, judgeLimit, judgeOffices } from './judge-offices.ts';
import { judgeTelephones } from './judge-telephones.ts';
import { keepLicenses } from './keep-license.ts';
import type { JudgedRow } from './row-as-judged.ts';
import { addIssue, type RowAsRead } from './row-as-read.ts';

type Trx = Transaction<Database>;

export interface Judging extends Matching, CountrySources {
  isAtomic: boolean;
}

/** The IDs in a field of a row, each with its path in the field. */
function idsIn(
  { fields }: RowAsRead,
  { field, items }: ImportDefinition['references'][number],
): { id: string; path: (string | number)[] }[] {
  const value = fields[field];
  if (items === undefined) return typeof value === 'string' ? [{ id: value, path: [] }] : [];
  return ((value ?? []) as Record<string, string>[]).flatMap((item, index) => {
    const id = item[items.field];
    return id === undefined ? [] : [{ id, path: [index, items.field] }];
  });
}

/** Rejects rows whose references, apart from those to offices, lead to no existing record. */
async function judgeReferences(
  trx: Trx,
  rows: readonly RowAsRead[],
  { definition: { references }, limit }: Pick<Judging, 'limit'> & { definition: ImportDefinition },
): Promise<void> {
  const named = rows.flatMap((row) =>
    references.flatMap((reference) => idsIn(row, reference).map((one) => ({ row, reference, ...one }))),
  );
  for (const [, some] of Map.groupBy(named, ({ reference }) => reference.table)) {
    const [{ reference }] = some as [(typeof some)[number]];
    const existing = await findExisting(trx, reference, {
      ids: [...new Set(some.map(({ id }) => id))],
      limit,
    });
    for (const { row, reference: of, id, path } of some)
      if (!existing.has(id))
        addIssue(row, [of.field, ...path], {
          errorCode: 'reference_not_found',
          code: 'not_found',
          detail: 'is not an existing record',
          absent: { field: of.field, of: id },
        });
  }
}

/** Rejects rows that depend on rejected ones: the office is new, or its email address is to be given up. */
function rejectFollowers(rows: readonly JudgedRow[], { officeField }: ImportDefinition): void {
  const isRejected = (row: RowAsRead | undefined) => row !== undefined && row.issues.length > 0;
  const followers = () =>
    rows.filter((row) => !isRejected(row) && (isRejected(row.officeRow) || isRejected(row.emailGiver)));
  for (let next = followers(); next.length > 0; next = followers())
    for (const row of next) {
      const { officeRow, emailGiver, office } = row;
      if (isRejected(emailGiver))
        addIssue(row, 'email', {
          errorCode: 'email_taken',
          code: 'taken',
          detail: `is in use by ${emailGiver?.label}, which is rejected`,
        });
      else
        addIssue(row, office?.field ?? officeField ?? [], {
          errorCode: 'reference_not_found',
          code: 'rejected',
          detail: `is ${officeRow?.label}, which is rejected`,
        });
    }
}

/**
 * Finds what the constraints would reject, for all rows at once, so that each fault is reported. The constraints still decide: they also
 * meet what others commit in the meantime. In an atomic import, rows that only depend on rejected ones have no issue.
 */
export async function judgeRows(
  trx: Trx,
  rows: readonly RowAsRead[],
  definition: ImportDefinition,
  judging: Judging,
): Promise<JudgedRow[]> {
  const { limit, isAtomic } = judging;
  const defined = { ...judging, definition };
  const { placed, officesOf } = await judgeOffices(trx, rows, defined);
  await judgeItems(trx, placed, defined);
  await judgeReferences(trx, placed, defined);
  sortItems(placed, definition);
  const matched = await judgeMatches(trx, placed, defined);
  const judged = await judgeTelephones(trx, matched, defined);
  if (limit !== undefined) await judgeLimit(trx, judged, { definition, limit });
  await judgeAffiliations(trx, judged, { definition, officesOf });
  if (definition.isOfficeToBeActive) judgeArrivals(judged);
  await judgeCycles(trx, judged, { isAtomic, definition });
  if (!isAtomic) rejectFollowers(judged, definition);
  await keepLicenses(trx, judged, definition);
  return judged;
}

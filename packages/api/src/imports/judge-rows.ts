import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import {
  type CountrySources,
  findTelephoneCountries,
  type TelephoneInput,
  type TelephoneRecord,
} from '../engine/write/telephone-countries.ts';
import { findTelephones, hasUnreadTelephones, readTelephones } from '../engine/write/telephones.ts';
import type { ImportDefinition } from './definitions.ts';
import { findExisting } from './find-records.ts';
import { judgeItems, sortItems } from './judge-items.ts';
import { judgeMatches, type Matching } from './judge-matches.ts';
import { judgeAffiliations, judgeArrivals, judgeCycles, judgeLimit, judgeOffices } from './judge-offices.ts';
import { keepLicenses } from './keep-license.ts';
import { addIssue, type JudgedRow, type MatchedRow, type RowAsRead } from './rows.ts';

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

interface TelephoneJudging extends CountrySources {
  definition: Pick<ImportDefinition, 'resource' | 'officeField' | 'isTree'>;
}

/** Makes a function that finds the rows of a call that are the offices above one, the nearest first. */
function officesAbove(
  rows: readonly MatchedRow[],
  { officeField, isTree }: TelephoneJudging['definition'],
): (row: MatchedRow) => MatchedRow[] {
  const byId = new Map(isTree ? rows.flatMap((row) => (row.match ? [[row.id, row]] : [])) : []);
  const nextOf = ({ officeRow, fields, match }: MatchedRow) => {
    if (officeRow !== undefined) return rows[officeRow.index];
    const given = officeField === undefined ? undefined : fields[officeField];
    const id = given === undefined ? match?.officeId : given;
    return typeof id === 'string' ? byId.get(id) : undefined;
  };
  return (row) => {
    const above = new Set<MatchedRow>();
    for (let next = nextOf(row); next !== undefined && !above.has(next); next = nextOf(next)) above.add(next);
    return [...above];
  };
}

/** Reads the phone numbers of rows. Existing numbers stay as they are. */
async function judgeTelephones(
  trx: Transaction<Database>,
  rows: readonly MatchedRow[],
  { definition, ...sources }: TelephoneJudging,
): Promise<JudgedRow[]> {
  const { resource } = definition;
  const unread = rows.filter(({ fields }) => hasUnreadTelephones(resource, fields));
  const aboveOf = officesAbove(rows, definition);
  const above = new Map(unread.map((row) => [row, aboveOf(row)]));
  const matched = [...unread, ...[...above.values()].flat()].flatMap(({ match }) => match?.id ?? []);
  const stored: Map<string, TelephoneRecord> =
    matched.length === 0 ? new Map() : await findTelephones(trx, resource, [...new Set(matched)]);
  const inputOf = ({ fields: input, match }: MatchedRow) => ({ input, record: stored.get(match?.id ?? '') });
  const inputs = unread.map((row): TelephoneInput => {
    const { countryChecked: known, countryAbove } = row.facts;
    return { ...inputOf(row), above: above.get(row)?.map(inputOf), known, countryAbove };
  });
  const found = unread.length === 0 ? [] : await findTelephoneCountries(trx, resource, inputs, sources);
  const countries = new Map(unread.map((row, place) => [row, found[place]]));
  return rows.map((row): JudgedRow => {
    if (!countries.has(row)) return { ...row, phoneCountry: undefined, notes: [] };
    const country = countries.get(row);
    // A record of JSON is written by a program, which knows one number from two.
    const takesFirst = row.facts.row !== undefined;
    const { input, record } = inputOf(row);
    const read = readTelephones(resource, input, { record, country, takesFirst });
    Object.assign(row.fields, read.input);
    for (const { field, ...issue } of read.issues) addIssue(row, field, issue);
    return { ...row, phoneCountry: read.isByCountry ? (country ?? null) : undefined, notes: read.notes };
  });
}

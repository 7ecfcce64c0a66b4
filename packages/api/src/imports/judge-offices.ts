import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { OfficeLimit } from '../engine/office-limit.ts';
import type { ImportDefinition } from './definitions.ts';
import {
  findAbove,
  findAffiliations,
  findOffices,
  findReferences,
  type HeldReferences,
} from './find-records.ts';
import {
  addIssue,
  type FoundOffice,
  type MatchedRow,
  type OfficeName,
  type PlacedRow,
  type RecordIssue,
  type RowAsRead,
  sourceText,
} from './rows.ts';

type Trx = Transaction<Database>;
type OfficesOf = (name: OfficeName) => readonly FoundOffice[];

const nameText = ({ id, source, name }: OfficeName) => JSON.stringify([id, source?.name, source?.key, name]);

/** The offices that the affiliations of a row name. */
function affiliatedOffices({ fields }: RowAsRead, { affiliationsField }: ImportDefinition): OfficeName[] {
  if (affiliationsField === undefined) return [];
  const affiliations = (fields[affiliationsField] ?? []) as { officeId: string }[];
  return affiliations.map(({ officeId }) => ({ field: affiliationsField, id: officeId }));
}

/** Finds the offices that rows name, in the table or among the rows. Also returns a function for the offices that a name leads to. */
export async function judgeOffices(
  trx: Trx,
  rows: readonly RowAsRead[],
  { definition, limit }: { definition: ImportDefinition; limit: OfficeLimit | undefined },
): Promise<{ placed: PlacedRow[]; officesOf: OfficesOf }> {
  const names = rows.flatMap((row) => [row.office ?? [], affiliatedOffices(row, definition)].flat());
  const byText = new Map(names.map((office) => [nameText(office), office]));
  const found = byText.size === 0 ? [] : await findOffices(trx, [...byText.values()], { definition, limit });
  const offices = new Map([...byText.keys()].map((text, place) => [text, found[place] ?? []]));
  const officesOf = (name: OfficeName) => offices.get(nameText(name)) ?? [];
  // Of two rows with one source the first counts, because the other is rejected.
  const bySource = new Map(
    rows
      .toReversed()
      .flatMap((row) => (row.source && definition.isTree ? [[sourceText(row.source), row]] : [])),
  );
  const placed = rows.map((row): PlacedRow => {
    const { office } = row;
    const known = office === undefined ? [] : officesOf(office);
    const among = office?.source && bySource.get(sourceText(office.source));
    if (known.length === 0 && among !== undefined)
      return { ...row, foundOffice: undefined, officeRow: among };
    return { ...row, foundOffice: office && chooseOffice(row, office, known), officeRow: undefined };
  });
  for (const { fields, foundOffice } of placed)
    if (foundOffice !== undefined && definition.officeField !== undefined)
      fields[definition.officeField] = foundOffice.id;
  return { placed, officesOf };
}

/** The only office that a name leads to. */
function chooseOffice(
  row: RowAsRead,
  named: OfficeName,
  [office, other]: readonly FoundOffice[],
): FoundOffice | undefined {
  const { field } = named;
  const errorCode = 'reference_not_found';
  if (office !== undefined && other === undefined) return office;
  if (office === undefined) {
    const absent = { field, of: named };
    addIssue(row, field, { errorCode, code: 'not_found', detail: 'is not an existing office', absent });
  } else addIssue(row, field, { errorCode, code: 'ambiguous', detail: 'is the name of several offices' });
  return undefined;
}

/**
 * Rejects new affiliations with missing offices, offices outside the limit, inactive offices or the primary office.
 * An existing affiliation may be with an inactive office, and is removed if that office becomes the primary one.
 */
export async function judgeAffiliations(
  trx: Trx,
  rows: readonly MatchedRow[],
  { definition, officesOf }: { definition: ImportDefinition; officesOf: OfficesOf },
): Promise<void> {
  const { affiliationsField, officeField } = definition;
  const affiliated = rows.filter((row) => affiliatedOffices(row, definition).length > 0);
  if (affiliationsField === undefined || affiliated.length === 0) return;
  const existing = await findAffiliations(
    trx,
    affiliated.flatMap(({ match }) => match?.id ?? []),
  );
  const held = new Set(existing.map(({ agentId, officeId }) => `${agentId} ${officeId}`));
  for (const row of affiliated) {
    const { fields, foundOffice, match } = row;
    const primary = officeField !== undefined && officeField in fields ? foundOffice?.id : match?.officeId;
    for (const office of affiliatedOffices(row, definition)) {
      const [found] = officesOf(office);
      if (held.has(`${match?.id} ${office.id}`)) continue;
      if (found === undefined)
        addIssue(row, affiliationsField, {
          errorCode: 'reference_not_found',
          code: 'not_found',
          detail: 'is not an existing office',
        });
      else if (office.id === primary)
        addIssue(row, affiliationsField, {
          code: 'primary',
          detail: "is the office in officeId, so it can't be an affiliation",
        });
      else if (found.status === 'inactive')
        addIssue(row, affiliationsField, {
          errorCode: 'office_inactive',
          code: 'inactive',
          detail: 'is an inactive office',
        });
    }
  }
}

/** Rejects rows that would be outside the office limit. An existing reference may lead outside it, so its fault is removed. */
export async function judgeLimit(
  trx: Trx,
  rows: readonly MatchedRow[],
  { definition, limit }: { definition: ImportDefinition; limit: OfficeLimit },
): Promise<void> {
  await allowHeldReferences(trx, rows, definition);
  for (const row of rows)
    if (row.issues.length === 0 && isOutOfLimit(row, { definition, limit }))
      addIssue(row, definition.officeField ?? [], {
        errorCode: 'insufficient_scope',
        code: 'not_allowed',
        detail: 'must be one of the offices your access is restricted to',
      });
}

/** Whether a record would be in no office, and so outside the limit. A granted office is within it without a main office. */
function isOutOfLimit(
  { office, fields, match }: MatchedRow,
  { definition: { officeField, resource }, limit }: { definition: ImportDefinition; limit: OfficeLimit },
): boolean {
  if (office !== undefined) return false;
  if (match === null) return true;
  const isCleared = officeField !== undefined && officeField in fields && match.officeId !== null;
  return isCleared && !(resource.limit?.column === 'id' && limit.granted.includes(match.id));
}

async function allowHeldReferences(
  trx: Trx,
  rows: readonly MatchedRow[],
  definition: ImportDefinition,
): Promise<void> {
  const doubtful = rows.filter(({ issues, match }) => match && issues.some(({ absent }) => absent));
  if (doubtful.length === 0) return;
  const ids = doubtful.flatMap(({ match }) => match?.id ?? []);
  const byId = new Map((await findReferences(trx, ids, definition)).map((held) => [held.id, held]));
  const { officeField } = definition;
  for (const { match, issues, fields } of doubtful) {
    const held = byId.get(match?.id ?? '');
    if (held === undefined) continue;
    const kept = issues.filter(({ absent }) => {
      const isAllowed = absent !== undefined && isHeld(absent, held, definition);
      if (isAllowed && typeof absent.of === 'object' && officeField !== undefined)
        fields[officeField] = held.references[officeField];
      return !isAllowed;
    });
    issues.splice(0, issues.length, ...kept);
  }
}

/** Whether a record already has a reference, by the same ID or by the source of its office. */
function isHeld(
  { field, of }: NonNullable<RecordIssue['absent']>,
  { references, officeSource }: HeldReferences,
  { officeField }: ImportDefinition,
): boolean {
  if (typeof of === 'string') return references[field] === of;
  if (of.id !== undefined) return officeField !== undefined && references[officeField] === of.id;
  return (
    of.source !== undefined && officeSource !== null && sourceText(of.source) === sourceText(officeSource)
  );
}

/** Rejects rows that move to an inactive office. A record that is already in it can be changed. */
export function judgeArrivals(rows: readonly MatchedRow[]): void {
  for (const row of rows) {
    const { foundOffice, match, office } = row;
    if (foundOffice?.status === 'inactive' && match?.officeId !== foundOffice.id && office !== undefined)
      addIssue(row, office.field, {
        errorCode: 'office_inactive',
        code: 'inactive',
        detail: 'is an inactive office',
      });
  }
}

/** The offices that would be above themselves, by the main office of each. */
function cyclesIn(mainOf: Map<string, string | null>): Set<string> {
  const cycles = new Set<string>();
  const startOf = new Map<string, string>();
  for (const start of mainOf.keys()) {
    let id: string | null = start;
    for (; id !== null && !startOf.has(id); id = mainOf.get(id) ?? null) startOf.set(id, start);
    // An office of the same walk closes a circle, which is walked once.
    if (id === null || startOf.get(id) !== start) continue;
    for (; id !== null && !cycles.has(id); id = mainOf.get(id) ?? null) cycles.add(id);
  }
  return cycles;
}

/** Gives offices below new ones the IDs of these, and rejects offices that would be above themselves. */
export async function judgeCycles(
  trx: Trx,
  rows: readonly MatchedRow[],
  { isAtomic, definition }: { isAtomic: boolean; definition: ImportDefinition },
): Promise<void> {
  const { table, parent } = definition.resource;
  if (!parent?.isTree) return;
  const officeField = parent.field;
  for (const { fields, officeRow } of rows)
    if (officeRow !== undefined) fields[officeField] = rows[officeRow.index]?.id;
  const moved = rows.flatMap((row) => {
    const mainOfficeId = row.fields[officeField] as string | null | undefined;
    return mainOfficeId === undefined || (!isAtomic && row.issues.length > 0) ? [] : [{ row, mainOfficeId }];
  });
  const mains = moved.flatMap(({ mainOfficeId }) => mainOfficeId ?? []);
  if (mains.length === 0) return;
  const above = await findAbove(trx, [...new Set(mains)], { table, column: parent.column });
  for (const { row, mainOfficeId } of moved) above.set(row.id, mainOfficeId);
  const cycles = cyclesIn(above);
  for (const { row } of moved)
    if (cycles.has(row.id))
      addIssue(row, row.office?.field ?? officeField, {
        errorCode: 'office_cycle',
        code: 'cycle',
        detail: 'is this office, or an office below it',
      });
}

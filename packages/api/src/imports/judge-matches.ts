import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { OfficeLimit } from '../engine/office-limit.ts';
import { spokenName } from '../engine/sameness/keys.ts';
import type { ImportDefinition } from './definitions.ts';
import { findByEmailOrName } from './find-by-name.ts';
import { findBySurvivors, findKnown } from './find-records.ts';
import {
  addIssue,
  type KnownRow,
  type LedRow,
  type MatchedRow,
  type PlacedRow,
  type RowAsRead,
  rejectRepeated,
} from './rows.ts';
import type { ImportMode } from './schemas.ts';

type Trx = Transaction<Database>;
type Defined = { definition: ImportDefinition; limit: OfficeLimit | undefined };

export interface Matching {
  mode: ImportMode;
  /** The kinds of warnings that are accepted: with `renames`, a record that no key led to may get a different name. */
  acceptWarnings: readonly string[];
  /** The ID of a record that will be created. */
  newId: (row: RowAsRead) => string;
}

/** Finds how each row leads to its record. The email address or source of a survivor stays as it is. */
async function lead(
  trx: Trx,
  placed: readonly PlacedRow[],
  { mode, ...defined }: Pick<Matching, 'mode'> & Defined,
): Promise<LedRow[]> {
  const isOpen = ({ source, facts, fields, issues }: PlacedRow) =>
    mode === 'match' &&
    source === undefined &&
    facts.recordId === undefined &&
    (typeof fields.email === 'string' || facts.addsItems === true) &&
    issues.length === 0;
  const byName = await findByEmailOrName(trx, placed.filter(isOpen), defined);
  const sourced = placed.filter(({ source, issues }) => source !== undefined && issues.length === 0);
  const bySurvivors = await findBySurvivors(trx, sourced, defined);
  return placed.map((row): LedRow => {
    const { facts, fields } = row;
    const found = byName.get(row);
    if (found !== undefined) {
      const named = typeof fields.email === 'string' ? 'emailAndName' : 'name';
      const ledBy = defined.definition.isEmailUnique ? 'email' : named;
      if (found.isEmailMerged) delete fields.email;
      const { id: ledTo, isMerged, mergedName } = found;
      return { ...row, ledBy, ledTo, isMerged, mergedName };
    }
    const survivor = bySurvivors.get(row);
    if (survivor !== undefined) delete fields.source;
    const byId = facts.isByLikeness ? 'likeness' : 'id';
    const ledBy = facts.recordId === undefined ? 'source' : byId;
    const isMerged = survivor !== undefined;
    return { ...row, ledBy, ledTo: facts.recordId ?? survivor, isMerged, mergedName: null };
  });
}

async function know(
  trx: Trx,
  led: readonly LedRow[],
  { mode, newId, ...defined }: Pick<Matching, 'mode' | 'newId'> & Defined,
): Promise<KnownRow[]> {
  const { table } = defined.definition.resource;
  const known = await findKnown(trx, led, defined);
  return known.map((row) => {
    if (row.isSourceTaken || (row.match !== null && mode === 'create'))
      addIssue(row, 'source', {
        errorCode: 'source_taken',
        code: 'taken',
        detail: `is already in use by another ${table}`,
      });
    if (row.match === null && row.ledBy === 'id')
      addIssue(row, 'id', {
        errorCode: 'not_found',
        code: 'not_found',
        detail: 'is not the ID of an existing record. For IDs of a different system, set the source.',
      });
    const match = mode === 'create' ? null : row.match;
    return { ...row, match, id: match?.id ?? newId(row) };
  });
}

/** The rows of a call by the existing record that they lead to. */
const byMatch = (rows: readonly KnownRow[]) =>
  Map.groupBy(
    rows.filter(({ match }) => match !== null),
    ({ id }) => id,
  ).values();

/** The rows that a merge led to the record of a different row: that of the survivor counts. */
function findSuperseded(rows: readonly KnownRow[], { nameFields }: ImportDefinition): Set<KnownRow> {
  const superseded = new Set<KnownRow>();
  for (const some of byMatch(rows)) {
    const first = some.find(({ isMerged }) => !isMerged) ?? some[0];
    for (const row of some) {
      if (first === undefined || row === first || !row.isMerged) continue;
      superseded.add(row);
      rejectDifferent(row, { first, nameFields });
    }
  }
  return superseded;
}

/** Rejects a superseded row with a different value in a field, which would be lost. */
function rejectDifferent(
  row: KnownRow,
  { first, nameFields }: { first: KnownRow; nameFields: readonly string[] },
): void {
  const ofIdentity = new Set(['source', 'email', ...nameFields]);
  const differs = Object.entries(row.fields).some(
    ([field, value]) =>
      !ofIdentity.has(field) &&
      field in first.fields &&
      JSON.stringify(value) !== JSON.stringify(first.fields[field]),
  );
  if (differs)
    addIssue(row, row.source === undefined ? 'email' : 'source', {
      code: 'repeated',
      detail: `was merged into the record of ${first.label}, and says something else of it`,
    });
}

/** Rejects rows that lead to the record of an earlier one by a different key. */
function rejectSharedMatches(rows: readonly KnownRow[]): void {
  for (const some of byMatch(rows)) {
    const [first, ...others] = some;
    const isNamed = some.some(({ issues }) => issues.some(({ code }) => code === 'repeated'));
    if (first === undefined || isNamed || some.every(({ ledBy }) => ledBy === 'source')) continue;
    for (const row of others)
      addIssue(row, row.ledBy === 'id' || row.ledBy === 'source' ? row.ledBy : 'email', {
        code: 'repeated',
        detail: `refers to the same record as ${first.label}`,
      });
  }
}

/**
 * Rejects rows whose email address a different record has after the import. Returns the rows that give up the address that a row takes:
 * their records have it until now.
 */
function judgeEmails(
  rows: readonly KnownRow[],
  { table, superseded }: { table: string; superseded: ReadonlySet<KnownRow> },
): Map<KnownRow, KnownRow> {
  const changing = rows.filter(
    (row) => row.match !== null && !superseded.has(row) && row.fields.email !== undefined,
  );
  // Of two rows of one record the first counts, because the other is rejected.
  const byRecord = new Map(changing.toReversed().map((row) => [row.id, row]));
  const givers = new Map<KnownRow, KnownRow>();
  for (const row of rows) {
    const { id, foldedEmail, emailHolder, emailSurvivor } = row;
    if (foldedEmail === null || emailHolder === id) continue;
    const giver = byRecord.get(emailHolder ?? '');
    const isGiven = giver !== undefined && giver.foldedEmail !== foldedEmail;
    if (isGiven) givers.set(row, giver);
    const holder = emailHolder === null || isGiven ? emailSurvivor : emailHolder;
    if (holder !== null && holder !== id)
      addIssue(row, 'email', {
        errorCode: 'email_taken',
        code: 'taken',
        detail: `is already in use by another ${table}`,
      });
  }
  return givers;
}

/** The names that a record will have: those of the row, or the existing ones for fields that the row omits. */
function namesOf({ fields, match }: KnownRow, nameFields: readonly string[]): (string | null)[] {
  return nameFields.map((field, place) => {
    const name = fields[field];
    return name === undefined ? (match?.names[place] ?? null) : (name as string | null);
  });
}

/** Rejects rows whose record would have no name. An invalid row is rejected already. */
function judgeNames(rows: readonly KnownRow[], { nameFields }: ImportDefinition): void {
  const [first = '', ...others] = nameFields;
  for (const row of rows)
    if (!row.isBroken && namesOf(row, nameFields).every((name) => name === null))
      addIssue(row, first, {
        code: 'required',
        detail: `is required unless ${others.join(' or ')} is set`,
      });
}

const textOf = (names: readonly (string | null)[]) => names.filter((name) => name !== null).join(' ');

/**
 * Finds rows that would rename a record although no key led to it, and rejects them unless that is accepted: a wrong email address would
 * turn one person into another. A source and an ID are keys, so their rows may rename, unless the name was split from a whole one. A
 * survivor keeps its name if the row has the one that the merge took.
 */
function findRenamed(
  rows: readonly KnownRow[],
  {
    definition: { resource, nameFields },
    areAccepted,
  }: { definition: ImportDefinition; areAccepted: boolean },
): Set<KnownRow> {
  const renamed = new Set<KnownRow>();
  for (const row of rows) {
    const { match, ledBy, fields, facts, mergedName } = row;
    const isByKey = ledBy === 'source' || ledBy === 'id';
    if (match === null || (isByKey && facts.isNameSplit !== true)) continue;
    const [before, after] = [textOf(match.names), textOf(namesOf(row, nameFields))];
    if (spokenName([after]) === spokenName([before])) continue;
    if (mergedName !== null && spokenName([after]) === spokenName([mergedName])) {
      for (const field of nameFields) delete fields[field];
      continue;
    }
    renamed.add(row);
    if (areAccepted) continue;
    const [place = '', verb] = isByKey ? [nameFields[0], 'belongs to'] : ['email', 'is in use by'];
    const detail =
      `${verb} the ${resource.table} "${before}" (${match.id}), but the name in this file is "${after}"; correct one of ` +
      'them, or accept the warning `renames`';
    addIssue(row, place, { code: 'name_differs', detail });
  }
  return renamed;
}

/** Finds the existing records of rows, and rejects rows that contradict them or each other. */
export async function judgeMatches(
  trx: Trx,
  placed: readonly PlacedRow[],
  { mode, newId, acceptWarnings, ...defined }: Matching & Defined,
): Promise<MatchedRow[]> {
  const { definition } = defined;
  const { table } = definition.resource;
  const rows = await know(trx, await lead(trx, placed, { mode, ...defined }), { mode, newId, ...defined });
  const superseded = findSuperseded(rows, definition);
  const givers = judgeEmails(rows, { table, superseded });
  const ofSameTable = definition.references.filter((reference) => reference.table === table);
  for (const row of rows) {
    if (row.match !== null && row.isMetadataFull)
      addIssue(row, 'metadata', {
        code: 'too_many',
        detail: 'must hold at most 50 pairs, including existing pairs',
      });
    for (const { field } of ofSameTable)
      if (row.fields[field] === row.id)
        addIssue(row, field, { code: 'self', detail: `is the ${table} itself` });
  }
  judgeNames(rows, definition);
  rejectRepeated(rows, 'email', ({ foldedEmail }) => foldedEmail);
  rejectSharedMatches(rows.filter((row) => !superseded.has(row)));
  const areAccepted = acceptWarnings.includes('renames');
  const renamed = findRenamed(rows, { definition, areAccepted });
  return rows.map((row) => ({
    ...row,
    isSuperseded: superseded.has(row),
    isRenamed: renamed.has(row),
    emailGiver: givers.get(row),
  }));
}

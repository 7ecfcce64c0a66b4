import { describeIssues, pointerTo } from '../errors/describe-issue.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { ERRORS_PER_RECORD_MAX, ERRORS_PER_REQUEST_MAX } from '../errors/issue-text.ts';
import type { FieldError } from '../errors/roster-error.ts';
import type { ImportDefinition } from './definitions.ts';
import { InvalidRecord } from './invalid-record.ts';
import type { ImportMode } from './schemas.ts';

/** A fault of a row, with the error code it is rejected with. */
export interface RecordIssue extends FieldError {
  errorCode: ErrorCode;
  /** The reference that is missing or outside the limit: the name of an office, or the ID of a record in a field. */
  absent?: { field: string; of: OfficeName | string };
}

export interface Source {
  name: string;
  key: string;
}

/** An office, by one of its names. */
export interface OfficeName {
  /** The field with the name, for the pointer of an error. */
  field: string;
  id?: string;
  source?: Source;
  name?: string;
}

/** The properties of a row of a file, apart from the fields of its record. */
export interface RowFacts {
  /** Its number in the file; undefined for a record of JSON. */
  row?: number;
  /** The ID of the record, if the row has one and no source. */
  recordId?: string | undefined;
  /** Whether the ID is that of a look-alike, and isn't in the file. */
  isByLikeness?: boolean;
  /** Whether its names are parts of a whole name, which may be split wrongly. */
  isNameSplit?: boolean;
  /** Whether the items of its list are rows of a file: they are added to those of the record, and the name alone may lead to it. */
  addsItems?: boolean;
  /** The parts of the licence that a row has columns for: it changes that licence of the record, or adds it. */
  licenseParts?: readonly string[] | undefined;
  /** The country of the offices above it in the file, which may not exist yet. */
  countryAbove?: string | null;
  /** The country by which the check read its phone numbers. */
  countryChecked?: string | null;
}

/** A row as read: everything known without the database. `JudgedRow` has the rest. */
export interface RowAsRead {
  readonly index: number;
  /** Its name in the error of a different row: `record 3 of this call`, or `row 5` of a file. */
  readonly label: string;
  readonly facts: RowFacts;
  readonly source: Source | undefined;
  /** Its email address, if only one record can have it. */
  readonly email: string | undefined;
  /** The office it names; undefined if it names none, or clears it. */
  readonly office: OfficeName | undefined;
  /** Whether it breaks its schema, so that its fields are unknown. */
  readonly isBroken: boolean;
  /** The fields to write, which the passes of the judgement edit in place: IDs replace names. */
  readonly fields: Record<string, unknown>;
  /** The faults that were found so far, in the order of the passes. */
  readonly issues: RecordIssue[];
  /** The number of further faults. */
  readonly issuesOmitted: number;
}

/** Adds a fault to a row, at a field or at the path of a part of one. */
export function addIssue(
  { index, issues }: Pick<RowAsRead, 'index' | 'issues'>,
  place: string | readonly (string | number)[],
  { errorCode = 'validation_failed', ...issue }: Partial<RecordIssue> & Pick<RecordIssue, 'code' | 'detail'>,
): void {
  const pointer = pointerTo(['records', index, ...[place].flat()]);
  issues.push({ pointer, ...issue, errorCode });
}

/** Takes all names of an office out of the fields, and returns the one to use. */
function takeOffice(
  row: Pick<RowAsRead, 'index' | 'source' | 'fields' | 'issues'>,
  { officeField, officeNames }: ImportDefinition,
): OfficeName | undefined {
  if (officeField === undefined) return undefined;
  const { fields, source } = row;
  const given = [officeField, ...Object.keys(officeNames)].filter((field) => fields[field] !== undefined);
  const [first, second] = given.filter((field) => fields[field] !== null);
  if (first !== undefined && second !== undefined)
    addIssue(row, second, { code: 'ambiguous', detail: `and ${first} both set the office; use only one` });
  const value = first === undefined ? undefined : fields[first];
  for (const field of Object.keys(officeNames)) delete fields[field];
  if (given.length > 0) fields[officeField] = null;
  if (first === undefined) return undefined;
  switch (officeNames[first]) {
    case undefined:
      return { field: first, id: String(value) };
    case 'source':
      return { field: first, source: value as Source };
    case 'name':
      return { field: first, name: String(value) };
    case 'sourceKey':
      if (source !== undefined) return { field: first, source: { name: source.name, key: String(value) } };
      addIssue(row, 'source', {
        code: 'required',
        detail: `is required, because ${first} is a key in that source`,
      });
      return undefined;
  }
}

/** The office that an invalid record names in a valid field, so that a missing office is reported with the other faults. */
function officeOfInvalid(
  { issues, input }: InvalidRecord,
  index: number,
  definition: ImportDefinition,
): OfficeName | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const broken = new Set(issues.map(({ path }) => path[0]));
  const sound = Object.entries(input).filter(([field]) => !broken.has(field));
  const fields = Object.fromEntries(
    sound.map(([field, value]) => [field, typeof value === 'string' ? value.trim() || null : value]),
  );
  return takeOffice({ index, source: undefined, fields, issues: [] }, definition);
}

interface Place {
  index: number;
  label: string;
  facts: RowFacts;
}

function readInvalid(
  invalid: InvalidRecord,
  { definition, namedMax, ...place }: Place & { definition: ImportDefinition; namedMax: number },
): RowAsRead {
  const { index } = place;
  const { errors, omitted } = describeIssues(
    invalid.issues,
    { input: invalid.input, isParameter: () => false, within: ['records', index] },
    namedMax,
  );
  const issues = errors.map((error) => ({ ...error, errorCode: 'validation_failed' as const }));
  const office = officeOfInvalid(invalid, index, definition);
  const unknown = { fields: {}, source: undefined, email: undefined, isBroken: true };
  return { ...place, ...unknown, office, issues, issuesOmitted: omitted };
}

function readValid(
  record: unknown,
  { definition, mode, ...place }: Place & { definition: ImportDefinition; mode: ImportMode },
): RowAsRead {
  const fields = { ...(record as Record<string, unknown>) };
  const source = (fields.source ?? undefined) as Source | undefined;
  const email = definition.isEmailUnique ? ((fields.email ?? undefined) as string | undefined) : undefined;
  const row = { ...place, source, email, fields, isBroken: false, issues: [], issuesOmitted: 0 };
  const office = takeOffice(row, definition);
  if (mode === 'upsert' && source === undefined)
    addIssue(row, 'source', { code: 'required', detail: 'is required, because it identifies the record' });
  return { ...row, office };
}

export function sourceText({ name, key }: Source): string {
  return JSON.stringify([name, key]);
}

/** Rejects rows that repeat a key of an earlier one, even if that is rejected, so that the order of writing doesn't matter. */
export function rejectRepeated<Row extends RowAsRead>(
  rows: readonly Row[],
  field: string,
  keyOf: (row: Row) => string | null | undefined,
): void {
  const first = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === undefined || key === null) continue;
    const other = first.get(key);
    if (other === undefined) first.set(key, row);
    else addIssue(row, field, { code: 'repeated', detail: `is also that of ${other.label}` });
  }
}

/** Reads the records of a call. */
export function readRows(
  records: readonly unknown[],
  definition: ImportDefinition,
  { mode, rows }: { mode: ImportMode; rows: readonly RowFacts[] },
): RowAsRead[] {
  // A response has a limited number of errors, at least one of each record; no others are put into words.
  let room = ERRORS_PER_REQUEST_MAX;
  const read = records.map((record, index) => {
    const facts = rows[index] ?? {};
    const label = facts.row === undefined ? `record ${index} of this call` : `row ${facts.row}`;
    const place = { index, label, facts, definition };
    if (!(record instanceof InvalidRecord)) return readValid(record, { ...place, mode });
    // The errors of rows of a file are stored, and listed by pages.
    const namedMax =
      facts.row === undefined ? Math.max(1, Math.min(ERRORS_PER_RECORD_MAX, room)) : ERRORS_PER_RECORD_MAX;
    const row = readInvalid(record, { ...place, namedMax });
    room -= row.issues.length - 1;
    return row;
  });
  rejectRepeated(read, 'source', ({ source }) => source && sourceText(source));
  return read;
}

/*
 * A row on its way from read to judged. Each pass returns rows with its part:
 *
 * RowAsRead -> judge-offices -> PlacedRow -> judge-matches -> LedRow -> KnownRow -> MatchedRow -> judge-rows -> JudgedRow
 *
 * The other passes only add faults, or edit the fields. All forms of a row share its fields and faults.
 */

/** An office that a name leads to. */
export interface FoundOffice {
  id: string;
  status: 'active' | 'inactive';
}

export interface PlacedRow extends RowAsRead {
  /** The existing office that it names. */
  readonly foundOffice: FoundOffice | undefined;
  /** The row of the same call that its new office is. */
  readonly officeRow: RowAsRead | undefined;
}

export interface LedRow extends PlacedRow {
  /** The key by which its record is looked up. */
  readonly ledBy: 'id' | 'source' | 'likeness' | 'email' | 'emailAndName' | 'name';
  /** The ID of its record, unless its own source leads there. */
  readonly ledTo: string | undefined;
  /** Whether that is a survivor: the record with its key was merged into it. */
  readonly isMerged: boolean;
  /** The name that the merge took, by which the survivor is known too. */
  readonly mergedName: string | null;
}

/** The existing record of a row. */
interface Match {
  id: string;
  version: number;
  officeId: string | null;
  /** The values of the fields that its name consists of. */
  names: (string | null)[];
}

/** The state of the table about a row. */
export interface Known {
  match: Match | null;
  /** The email address as it is compared, the record that has it, and the survivor of one that had it. */
  foldedEmail: string | null;
  emailHolder: string | null;
  emailSurvivor: string | null;
  /** Whether its metadata and that of the existing record have too many pairs together. */
  isMetadataFull: boolean;
  /** Whether a record outside the limit has its source, possibly by a merge; absent without a limit. */
  isSourceTaken?: boolean;
}

export interface KnownRow extends LedRow, Known {
  /** The ID of its record, existing or new. */
  readonly id: string;
}

export interface MatchedRow extends KnownRow {
  /** Whether a different row of the call counts for its record, so that it changes nothing. */
  readonly isSuperseded: boolean;
  /** Whether its record gets a different name, though no key led to it. */
  readonly isRenamed: boolean;
  /** The row of the same call whose record gives up the email address that this row takes. */
  readonly emailGiver: RowAsRead | undefined;
}

/** A row as judged: without issues, it can be written. */
export interface JudgedRow extends MatchedRow {
  /** The country by which its phone numbers without a country code are read, null if unknown; undefined without such numbers. */
  readonly phoneCountry: string | null | undefined;
  /** Values that were read in one of several ways. */
  readonly notes: readonly { field: string; detail: string }[];
}

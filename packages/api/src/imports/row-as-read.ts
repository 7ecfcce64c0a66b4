import { describeIssues, pointerTo } from '../errors/describe-issue.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { ERRORS_PER_RECORD_MAX, ERRORS_PER_REQUEST_MAX } from '../errors/issue-text.ts';
import type { FieldError } from '../errors/roster-error.ts';
import type { ImportDefinition } from './definitions.ts';
import { InvalidRecord } from './invalid-record.ts';
import type { ImportMode } from './schemas.ts';

/** One thing that is wrong with a record, and the error code it is rejected with. */
export interface RecordIssue extends FieldError {
  errorCode: ErrorCode;
  /** The missing reference, or one outside the limit: the name of an office, or the ID of a record in a field. */
  absent?: { field: string; of: OfficeName | string };
}

export interface Source {
  name: string;
  key: string;
}

/** An office, by one of its names. */
export interface OfficeName {
  /** The field of the record that says it, for the pointer. */
  field: string;
  id?: string;
  source?: Source;
  name?: string;
}

/** The facts that a row of a file states of its record beside the fields of that. */
export interface RowFacts {
  /** Its number in the file; undefined for a record that its place in the call names. */
  row?: number;
  /** The id of the record, if the row names one and no source. */
  recordId?: string | undefined;
  /** Whether its likeness to that record led to it, and no id in the file. */
  isByLikeness?: boolean;
  /** Whether its names are parts of a whole name, which may be split wrongly. */
  isNameSplit?: boolean;
  /** Whether the items of its list are rows of a file: they are added to those that the record has, and the name alone may lead to it. */
  addsItems?: boolean;
  /** The parts of the licence that a row has columns for: it is changed among those of the record, or added to them. */
  licenseParts?: readonly string[] | undefined;
  /** The country that the offices of the file above the record name, where these are not in the table yet. */
  countryAbove?: string | null;
  /** The country by which a check has read its phone numbers, which are written as it said. */
  countryChecked?: string | null;
}

/** The record a candidate was found to be about, as it is in the table. */
export interface Match {
  id: string;
  version: number;
  officeId: string | null;
  /** The values of the fields that make its name. */
  names: (string | null)[];
}

/** A record of an import on its way: what it says, what was found out, and what is wrong with it. */
export interface ImportCandidate {
  index: number;
  /** Its name in the error of another record: `record 3 of this call`, or `row 5` of a file. */
  label: string;
  /** Validated, without the other ways to name an office. */
  fields: Record<string, unknown>;
  source: Source | undefined;
  email: string | undefined;
  /** The id of its record, of one without a source that names it or that its email address led to. */
  matchedId?: string;
  /** Whether it names its record by the id. */
  isById?: boolean;
  /** Whether an email address alone led to its record, which gets another name. */
  isRenamed?: boolean;
  /** The facts of its row; empty for a record of JSON. */
  facts: RowFacts;
  /** The record that one with its source, its email address or its name was merged into. */
  survivorId?: string;
  /** The name that this merge took: the record is known by it too, and keeps its own. */
  mergedName?: string | null;
  /** Whether another record of the call leads to that too, and so this one changes nothing. */
  isSuperseded?: true;
  /** The office it names; undefined where it says nothing of one, or clears it. */
  office: OfficeName | undefined;
  match?: Match;
  /** The office that was found for it in the table. */
  foundOffice?: { id: string; status: 'active' | 'inactive' };
  /** The record of the same call that its office is, where that is new. */
  officeCandidate?: ImportCandidate;
  /** The id it has, or will have. */
  id?: string;
  /** The record of the same call that has its email address until now, and gives it up. */
  emailGiver?: ImportCandidate;
  /** The country by which its phone numbers without a country code are read, null if none is known; undefined without such phone numbers. */
  phoneCountry?: string | null;
  /** Whether it breaks its schema, so that its fields are unknown. */
  isBroken?: true;
  issues: RecordIssue[];
  /** The number of issues beside those. */
  issuesOmitted: number;
  /** Values that were read in one of several ways. */
  notes: { field: string; detail: string }[];
}

/** Adds a fault to a record, at a field of it or at the path of a part of one. */
export function addIssue(
  candidate: ImportCandidate,
  place: string | readonly (string | number)[],
  { errorCode = 'validation_failed', ...issue }: Partial<RecordIssue> & Pick<RecordIssue, 'code' | 'detail'>,
): void {
  const pointer = pointerTo(['records', candidate.index, ...[place].flat()]);
  candidate.issues.push({ pointer, ...issue, errorCode });
}

/** The office that a record names which breaks its schema elsewhere, so that all that is wrong with it is found at once. */
function officeOfInvalid(
  candidate: ImportCandidate,
  { issues, input }: InvalidRecord,
  definition: ImportDefinition,
): OfficeName | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const broken = new Set(issues.map(({ path }) => path[0]));
  const sound = Object.entries(input).filter(([field]) => !broken.has(field));
  const fields = Object.fromEntries(
    sound.map(([field, value]) => [field, typeof value === 'string' ? value.trim() || null : value]),
  );
  return officeNameOf({ ...candidate, fields, issues: [] }, definition);
}

function invalidCandidate(
  index: number,
  invalid: InvalidRecord,
  {
    definition,
    label,
    facts,
    namedMax,
  }: { definition: ImportDefinition; label: string; facts: RowFacts; namedMax: number },
): ImportCandidate {
  const { errors, omitted } = describeIssues(
    invalid.issues,
    { input: invalid.input, isParameter: () => false, within: ['records', index] },
    namedMax,
  );
  const issues = errors.map((error) => ({ ...error, errorCode: 'validation_failed' as const }));
  const nothing = { fields: {}, source: undefined, email: undefined, office: undefined };
  const known = { index, label, facts, isBroken: true as const, issues, issuesOmitted: omitted, notes: [] };
  const candidate: ImportCandidate = { ...nothing, ...known };
  candidate.office = officeOfInvalid(candidate, invalid, definition);
  return candidate;
}

/** Takes the ways to name an office out of the fields, and returns the one that is used. */
function officeNameOf(
  candidate: ImportCandidate,
  { officeField, officeNames }: ImportDefinition,
): OfficeName | undefined {
  if (officeField === undefined) return undefined;
  const { fields } = candidate;
  const given = [officeField, ...Object.keys(officeNames)].filter((field) => fields[field] !== undefined);
  const [first, second] = given.filter((field) => fields[field] !== null);
  if (first !== undefined && second !== undefined)
    addIssue(candidate, second, {
      code: 'ambiguous',
      detail: `and ${first} both set the office; use only one`,
    });
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
      if (candidate.source !== undefined)
        return { field: first, source: { name: candidate.source.name, key: String(value) } };
      addIssue(candidate, 'source', {
        code: 'required',
        detail: `is required, because ${first} is a key in that source`,
      });
      return undefined;
  }
}

function candidateOf(
  record: unknown,
  index: number,
  { definition, label, facts }: { definition: ImportDefinition; label: string; facts: RowFacts },
): ImportCandidate {
  const fields = { ...(record as Record<string, unknown>) };
  const source = (fields.source ?? undefined) as Source | undefined;
  const email = definition.isEmailUnique ? ((fields.email ?? undefined) as string | undefined) : undefined;
  const candidate: ImportCandidate = {
    index,
    label,
    fields,
    source,
    email,
    office: undefined,
    facts,
    ...(facts.recordId !== undefined && { matchedId: facts.recordId, isById: facts.isByLikeness !== true }),
    issues: [],
    issuesOmitted: 0,
    notes: [],
  };
  candidate.office = officeNameOf(candidate, definition);
  return candidate;
}

export function sourceText({ name, key }: Source): string {
  return JSON.stringify([name, key]);
}

/**
 * Rejects what occurs twice in one call: a fault of the later one, whatever happens to the first, so that it does not depend on
 * the order in which they would be written.
 */
export function rejectRepeated(
  candidates: ImportCandidate[],
  field: string,
  keyOf: (candidate: ImportCandidate) => unknown,
): void {
  const first = new Map<unknown, ImportCandidate>();
  for (const candidate of candidates) {
    const key = keyOf(candidate);
    if (key === undefined) continue;
    const other = first.get(key);
    if (other === undefined) first.set(key, candidate);
    else addIssue(candidate, field, { code: 'repeated', detail: `is also that of ${other.label}` });
  }
}

/** The records of a call, with what can be said of them without the database. */
export function candidatesOf(
  records: readonly unknown[],
  definition: ImportDefinition,
  { mode, rows }: { mode: ImportMode; rows: readonly RowFacts[] },
): ImportCandidate[] {
  // No more faults are put into words than the response names: one of each record, and so many beside.
  let room = ERRORS_PER_REQUEST_MAX;
  const candidates = records.map((record, index) => {
    const facts = rows[index] ?? {};
    const label = facts.row === undefined ? `record ${index} of this call` : `row ${facts.row}`;
    if (!(record instanceof InvalidRecord)) return candidateOf(record, index, { definition, label, facts });
    // The errors of rows are stored, and listed by pages.
    const namedMax =
      facts.row === undefined ? Math.max(1, Math.min(ERRORS_PER_RECORD_MAX, room)) : ERRORS_PER_RECORD_MAX;
    const candidate = invalidCandidate(index, record, { definition, label, facts, namedMax });
    room -= candidate.issues.length - 1;
    return candidate;
  });
  for (const candidate of candidates) {
    const isRead = !(records[candidate.index] instanceof InvalidRecord);
    if (mode === 'upsert' && isRead && candidate.source === undefined)
      addIssue(candidate, 'source', {
        code: 'required',
        detail: 'is required, because it identifies the record',
      });
  }
  rejectRepeated(candidates, 'source', ({ source }) => source && sourceText(source));
  return candidates;
}

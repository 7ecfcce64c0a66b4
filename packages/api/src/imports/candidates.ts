import { describeIssues, pointerTo } from '../errors/describe-issue.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { ERRORS_PER_RECORD_MAX, ERRORS_PER_REQUEST_MAX } from '../errors/issue-text.ts';
import type { FieldError } from '../errors/roster-error.ts';
import { Unread } from './invalid-record.ts';
import type { ImportedNoun } from './resources.ts';
import type { ImportMode } from './schemas.ts';

/** One thing wrong with a record, and the reason it is refused for. */
export type Fault = FieldError & { reason: ErrorCode };

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

/** The record a draft was found to be about, as it is in the table. */
export interface Match {
  id: string;
  version: number;
  officeId: string | null;
}

/** A record of an import on its way: what it says, what was found out, and what is wrong with it. */
export interface Draft {
  index: number;
  /** Validated, without the other ways to name an office. */
  fields: Record<string, unknown>;
  source: Source | undefined;
  email: string | undefined;
  /** The record without a source that its e-mail address led to. */
  matchedId?: string;
  /** The office it names; undefined where it says nothing of one, or clears it. */
  office: OfficeName | undefined;
  match?: Match;
  /** The office that was found for it in the table. */
  foundOffice?: { id: string; status: 'active' | 'inactive' };
  /** The record of the same call that its office is, where that is new. */
  officeDraft?: Draft;
  /** The id it has, or will have. */
  id?: string;
  faults: Fault[];
  /** How many faults it has beside those. */
  faultsOmitted: number;
}

/** Adds a fault to a record, at a field of it. */
export function fault(
  draft: Draft,
  field: string,
  { reason = 'validation_failed', code, detail }: { reason?: ErrorCode; code: string; detail: string },
): void {
  draft.faults.push({ pointer: pointerTo(['records', draft.index, field]), code, detail, reason });
}

function unreadDraft(index: number, unread: Unread, namedMax: number): Draft {
  const { errors, omitted } = describeIssues(
    unread.issues,
    { input: unread.input, isParameter: () => false, within: ['records', index] },
    namedMax,
  );
  const faults = errors.map((error) => ({ ...error, reason: 'validation_failed' as const }));
  const nothing = { fields: {}, source: undefined, email: undefined, office: undefined };
  return { index, ...nothing, faults, faultsOmitted: omitted };
}

/** Takes the ways to name an office out of the fields, and answers the one that is used. */
function officeNameOf(draft: Draft, { officeField, officeNames }: ImportedNoun): OfficeName | undefined {
  const { fields } = draft;
  const given = [officeField, ...Object.keys(officeNames)].filter((field) => fields[field] !== undefined);
  const [first, second] = given.filter((field) => fields[field] !== null);
  if (first !== undefined && second !== undefined)
    fault(draft, second, { code: 'ambiguous', detail: `and ${first} name the office both; only one may` });
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
      if (draft.source !== undefined)
        return { field: first, source: { name: draft.source.name, key: String(value) } };
      fault(draft, 'source', { code: 'required', detail: `is required, because ${first} is a key in it` });
      return undefined;
  }
}

function draftOf(record: unknown, index: number, noun: ImportedNoun): Draft {
  const fields = { ...(record as Record<string, unknown>) };
  const source = (fields.source ?? undefined) as Source | undefined;
  const email = noun.isEmailUnique ? ((fields.email ?? undefined) as string | undefined) : undefined;
  const draft: Draft = { index, fields, source, email, office: undefined, faults: [], faultsOmitted: 0 };
  draft.office = officeNameOf(draft, noun);
  return draft;
}

export function sourceText({ name, key }: Source): string {
  return JSON.stringify([name, key]);
}

/**
 * What occurs twice in one call is a fault of the later one, whatever becomes of the first: it does not depend on the
 * order in which they would be written.
 */
export function refuseRepeated(drafts: Draft[], field: string, keyOf: (draft: Draft) => unknown): void {
  const first = new Map<unknown, number>();
  for (const draft of drafts) {
    const key = keyOf(draft);
    if (key === undefined) continue;
    const index = first.get(key);
    if (index === undefined) first.set(key, draft.index);
    else fault(draft, field, { code: 'repeated', detail: `is that of record ${index} of this call too` });
  }
}

/** The records of a call, with what can be said of them without the database. */
export function draftsOf(
  records: readonly unknown[],
  noun: ImportedNoun,
  { mode }: { mode: ImportMode },
): Draft[] {
  // No more faults are put into words than the answer names: one of each record, and so many beside.
  let room = ERRORS_PER_REQUEST_MAX;
  const drafts = records.map((record, index) => {
    if (!(record instanceof Unread)) return draftOf(record, index, noun);
    const draft = unreadDraft(index, record, Math.max(1, Math.min(ERRORS_PER_RECORD_MAX, room)));
    room -= draft.faults.length - 1;
    return draft;
  });
  for (const draft of drafts) {
    const isRead = !(records[draft.index] instanceof Unread);
    if (mode === 'upsert' && isRead && draft.source === undefined)
      fault(draft, 'source', { code: 'required', detail: 'is required, for it says which record it is' });
  }
  refuseRepeated(drafts, 'source', ({ source }) => source && sourceText(source));
  return drafts;
}

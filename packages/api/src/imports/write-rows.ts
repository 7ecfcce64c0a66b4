import type { Database } from '@roster/db';
import { pathOfPointer } from '@roster/fields/json-pointer';
import { sql, type Transaction } from 'kysely';
import { type DirectoryResource, definitionOf } from '../directory/registry.ts';
import { andIsWithin } from '../engine/office-limit.ts';
import type { FieldError } from '../errors/roster-error.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import { changeMany } from '../jobs/bulk/service.ts';
import { inHalves } from '../records/change-each.ts';
import { findRecords } from '../records/try-change.ts';
import { importDefinitions } from './definitions.ts';
import { takeLicense } from './keep-license.ts';
import type { JudgedRow, RowFacts } from './rows.ts';
import { importRules } from './rules.ts';
import { importSchemas, type WarningKind } from './schemas.ts';
import type { RowsJob } from './stored-import.ts';
import { importBatch, type Outcome } from './write-records.ts';

/** A row of a batch. */
export interface BatchFileRow {
  row: number;
  line: number;
  record: Record<string, unknown>;
  recordId: string | null;
  /** The record that it certainly is, by its duplicate score. */
  sameAs: string | null;
  /** Whether it has a key in a source. */
  isKeyed: boolean;
  /** Whether the office above its own is in the file. */
  isBelow: boolean;
  /** The country that the nearest of the offices of the file above its own names, if one does. */
  countryAbove: string | null;
  /** The country by which its check has read the phone numbers without a country code. */
  phoneCountry: string | null;
  status: string | null;
  /** The first of the rows that pass on email addresses to each other, if it is one of them. */
  linkedTo: number | null;
  /** Why it may be read wrongly, by the kinds of warnings. */
  notes: { column: string; kind: WarningKind; detail: string }[];
  /** The rows and lines of the items of its list, if these are rows by themselves. */
  itemRows: [row: number, line: number][] | null;
}

/** An error at a field of a row; an empty field is the whole row. */
export interface FieldFault {
  field: string;
  code: string;
  detail: string;
}

/** The outcome of a row. */
export interface RowResult {
  row: BatchFileRow;
  outcome: Outcome['status'];
  subjectId: string | null;
  matchedBy: Outcome['matchedBy'];
  isRenamed: boolean;
  /** The fields of its record as they are written. */
  fields: object;
  /** The country by which its phone numbers without a country code were read. */
  phoneCountry: string | null;
  faults: FieldFault[];
  /** Values that were read in one of several ways, at their fields. */
  notes: JudgedRow['notes'];
}

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
/** The id of no record, which stands for what is no id. */
const NO_RECORD = '00000000-0000-0000-0000-000000000000';

/** The id that a row names, or that of the record that it certainly is; one that is no id leads to no record. */
export const recordIdOf = ({ recordId, sameAs }: Pick<BatchFileRow, 'recordId' | 'sameAs'>) => {
  if (recordId === null) return sameAs ?? undefined;
  return uuid.test(recordId) ? recordId : NO_RECORD;
};

/** Whether each record of a resource has a field. */
const isRequired = ({ schemas }: DirectoryResource, field: string) =>
  schemas.created.shape[field]?._zod.optin !== 'optional';

/**
 * The records of rows as an import takes them. A row that names its record by the id need not repeat what each record has. In a check,
 * the office above its own may be in the file, and not there yet.
 */
async function recordsOf(
  trx: Transaction<Database>,
  rows: readonly BatchFileRow[],
  { resource, isCheck, limit }: Pick<RowsJob, 'limit'> & { resource: DirectoryResource; isCheck: boolean },
): Promise<Record<string, unknown>[]> {
  const ids = rows.flatMap((row) => recordIdOf(row) ?? []);
  const found = await findRecords(trx, resource, { ids, limit });
  const required = Object.keys(resource.schemas.created.shape).filter((field) => isRequired(resource, field));
  const { name, parent } = resource;
  const names = [
    ...(parent === undefined ? [] : [parent.field]),
    ...Object.keys(importRules[name].officeNames ?? {}),
  ];
  return rows.map((row) => {
    const known = found.get(recordIdOf(row)?.toLowerCase() ?? '');
    const kept = known === undefined ? [] : required.map((field) => [field, known[field]] as const);
    const record = { ...Object.fromEntries(kept), ...row.record };
    if (isCheck && row.isBelow) for (const name of names) delete record[name];
    return record;
  });
}

/** The path of the field that a pointer into a batch is about: `#/records/3/address/city` is `address.city`. */
const fieldOf = (pointer = '') => pathOfPointer(pointer).slice(2).join('.');

/** The faults of a row at their fields, and how many there are beside them. */
function faultsOf(errors: readonly FieldError[], omitted: number): FieldFault[] {
  const faults = errors.map(({ pointer, code, detail }) => ({ field: fieldOf(pointer), code, detail }));
  if (omitted === 0) return faults;
  return [
    ...faults,
    { field: '', code: 'more', detail: `and ${omitted.toLocaleString('en-US')} more errors` },
  ];
}

/** Deactivates or reactivates the records of rows, as these say. */
async function applyStatus(
  trx: Transaction<Database>,
  results: RowResult[],
  { cause, limit, defaultCountry }: RowsJob,
  resource: DirectoryResource,
): Promise<void> {
  for (const [status, type] of [
    ['inactive', 'deactivate'],
    ['active', 'reactivate'],
  ] as const) {
    const asked = results.filter(
      ({ row, outcome, subjectId }) => row.status === status && subjectId !== null && outcome !== 'error',
    );
    // A new record is active.
    const named = type === 'reactivate' ? asked.filter(({ outcome }) => outcome !== 'created') : asked;
    const ids = named.flatMap(({ subjectId }) => subjectId ?? []);
    if (ids.length === 0) continue;
    const options = { ids, change: { type }, cause, limit, defaultCountry };
    const { changed, rejected } = await changeMany(trx, resource, options);
    const isChanged = new Set(changed);
    const errors = new Map(rejected.map(({ id, ...error }) => [id, error]));
    for (const result of named) {
      const error = errors.get(result.subjectId ?? '');
      if (error !== undefined) {
        // The fields may be written already.
        result.outcome = 'error';
        result.faults.push({ field: 'status', ...error });
      } else if (result.outcome === 'unchanged' && isChanged.has(result.subjectId ?? '')) {
        result.outcome = 'updated';
      }
    }
  }
}

interface BatchOptions {
  job: RowsJob;
  isCheck: boolean;
  acceptWarnings: readonly string[];
  /** Whether the names of people are split from one column. */
  isNameSplit: boolean;
}

async function importSome(
  trx: Transaction<Database>,
  rows: readonly BatchFileRow[],
  { job, isCheck, acceptWarnings, isNameSplit }: BatchOptions,
): Promise<RowResult[]> {
  const { resource: name, cause, limit, defaultCountry, named } = job;
  const resource = definitionOf(name);
  const given = await recordsOf(trx, rows, { resource, isCheck, limit });
  const licenseParts = given.map(takeLicense);
  const { records } = await importSchemas[name].parseAsync({ records: given });
  const facts = rows.map(
    (row, index): RowFacts => ({
      row: row.row,
      recordId: recordIdOf(row),
      isByLikeness: row.recordId === null && row.sameAs !== null,
      isNameSplit,
      addsItems: row.itemRows !== null,
      licenseParts: licenseParts[index],
      ...(isCheck ? { countryAbove: row.countryAbove } : { countryChecked: row.phoneCountry }),
    }),
  );
  const options = {
    records,
    rows: facts,
    acceptWarnings,
    cause,
    limit,
    defaultCountry,
    named,
    isTried: isCheck,
  };
  const written = await importBatch(trx, importDefinitions[name], options);
  const results = written.map(({ judged, status, id, matchedBy }, index): RowResult => {
    const { isRenamed, fields, phoneCountry = null, issues, issuesOmitted, notes } = judged;
    const [row, faults] = [rows[index] as BatchFileRow, faultsOf(issues, issuesOmitted)];
    return { row, outcome: status, subjectId: id, matchedBy, isRenamed, fields, phoneCountry, faults, notes };
  });
  // In a check, a new record is not there.
  const there = isCheck ? results.filter(({ outcome }) => outcome !== 'created') : results;
  await applyStatus(trx, there, job, resource);
  return results;
}

/**
 * Creates and changes the records of rows in a transaction, each as its row says, with its status. Rows that a rule rejects are left
 * out. Rejects if the database is unavailable, slow or overloaded, or an error is internal.
 */
export async function importRows(
  trx: Transaction<Database>,
  rows: readonly BatchFileRow[],
  options: BatchOptions,
): Promise<RowResult[]> {
  return inHalves<BatchFileRow, RowResult[]>(trx, rows, {
    act: (some) => importSome(trx, some, options),
    reject: async (error, row) => {
      const { errorCode: code, message: detail, errors = [], errorsOmitted } = toRosterError(error);
      const nothing = {
        subjectId: null,
        matchedBy: null,
        isRenamed: false,
        fields: {},
        phoneCountry: null,
        notes: [],
      };
      const named = faultsOf(errors, errorsOmitted);
      const faults = named.length > 0 ? named : [{ field: '', code, detail }];
      return [{ row, outcome: 'error', ...nothing, faults }];
    },
    join: (first, second) => [...first, ...second],
    nothing: [],
    linkOf: ({ row, linkedTo }) => linkedTo ?? row,
  });
}

const conditions = {
  open: sql`outcome is null`,
  accepted: sql`outcome in ('created', 'updated', 'unchanged', 'warning')`,
  faulty: sql`outcome = 'error' and record is not null`,
};

/**
 * The country of the nearest office of the file above that of a row, as the file says it or as the office has it already. In a check, those
 * offices may not be there yet.
 */
const countryAbove = (importId: string, limit: RowsJob['limit']) => sql`(case when level > 0 then (
  with recursive above (main, country) as (
    values (import_row.main, null::text)
    union all
    select other.main, case
      when other.record #> '{address,country}' is not null or other.record -> 'address' #>> '{}' is null
        and other.record -> 'address' is not null then other.record #>> '{address,country}'
      else office.address_country end
    from above join import_row as other on other.import_id = ${importId} and other.source = above.main
      left join office on (source_name, source_key) = (other.source::json ->> 0, other.source::json ->> 1)${andIsWithin('office.id', limit)}
    where above.country is null
  )
  select country from above where country is not null
) end)`;

/** The rows of a batch that are still to be checked, that the check lets be written, or that had errors before it. */
export async function findBatchRows(
  trx: Transaction<Database>,
  { id, batch, limit }: RowsJob,
  wanted: keyof typeof conditions,
): Promise<BatchFileRow[]> {
  const { rows } = await sql<BatchFileRow>`
    select row, line, record, record_id as "recordId", same_as as "sameAs", source is not null as "isKeyed", notes, level > 0 as "isBelow", status, item_rows as "itemRows", linked_to as "linkedTo",
      phone_country as "phoneCountry", ${countryAbove(id, limit)} as "countryAbove"
    from import_row where import_id = ${id} and batch = ${batch} and ${conditions[wanted]} order by row`.execute(
    trx,
  );
  return rows;
}

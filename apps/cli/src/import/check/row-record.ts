import { createHash } from 'node:crypto';
import type { Input } from '../../input/fields.ts';
import type { Importable } from '../importable.ts';
import type { ReadRow } from '../read/rows.ts';

/** The record in a row, and how to find the existing record that it updates. */
export interface RowRecord {
  /** The record to send: with `source`, or without if it is identified by its id. */
  record: Input;
  /** The source; undefined if the record is identified by its id. */
  source: Source | undefined;
  id: string | undefined;
  /** The requested status; undefined if the row has none. */
  status: unknown;
  rowErrors: { field: string; code: string; message: string }[];
}

export interface Source {
  name: string;
  key: string;
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textAt = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

function put(fields: Fields, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    fields[name] = value;
    return;
  }
  const inner = isObject(fields[name]) ? fields[name] : {};
  fields[name] = inner;
  put(inner, rest, value);
}

/** Joins fields that the Data Dictionary splits: the only licence, and the ZIP+4 suffix of a postal code. */
function joinParts(fields: Fields): void {
  const { licenses, address } = fields;
  if (isObject(licenses)) {
    const only = licenses[0];
    fields.licenses = isObject(only) && Object.values(only).some((part) => part !== null) ? [only] : [];
  }
  if (isObject(address) && 'postalCodePlus4' in address) {
    const { postalCodePlus4, ...rest } = address;
    const isWhole = textAt(postalCodePlus4) !== undefined && textAt(rest.postalCode) !== undefined;
    fields.address = isWhole ? { ...rest, postalCode: `${rest.postalCode}-${postalCodePlus4}` } : rest;
  }
}

/** A key for a row without one: a hash of its values, independent of its position in the file. */
function hashOf(fields: Fields): string {
  const sorted = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 32);
}

interface Identity {
  source: Source | undefined;
  /** The system whose keys are in the id columns; undefined if they contain ids of this service. */
  system: string | undefined;
}

/**
 * Identifies the record of a row. A key without the name of its source, or a name without a key but with an id, is
 * completed. With `--source` every id of the file is a key of that source.
 */
function identityOf(fields: Fields, key: string | undefined, sourceName: string | undefined): Identity {
  const given = isObject(fields.source) ? fields.source : {};
  const name = textAt(given.name) ?? sourceName;
  const ownKey = textAt(given.key);
  const id = textAt(fields.id);
  if (name === undefined) return { source: undefined, system: undefined };
  const isForeign = sourceName !== undefined || (ownKey === undefined && id !== undefined);
  const found = ownKey ?? textAt(key) ?? id ?? (sourceName === undefined ? undefined : hashOf(fields));
  return {
    source: found === undefined ? undefined : { name, key: found },
    system: isForeign ? (sourceName ?? name) : undefined,
  };
}

/** Reduces the reference to the office to one: its source if there is one, else its name, else its id. */
function resolveOffice(
  fields: Fields,
  { officeId, officeSource, officeName }: Importable,
  { source, system }: Identity,
): void {
  const given = isObject(fields[officeSource]) ? fields[officeSource] : {};
  const isNamed = officeName !== undefined && textAt(fields[officeName]) !== undefined;
  const id = textAt(fields[officeId]);
  const isAlreadySet = [officeId, officeSource, officeName].some(
    (field) => field !== undefined && field in fields,
  );
  const key = textAt(given.key);
  const byId = id !== undefined && key === undefined && !isNamed;
  delete fields[officeSource];
  if (!isNamed && officeName !== undefined) delete fields[officeName];
  if (byId && system === undefined) return;
  if (source === undefined && id !== undefined) return;
  delete fields[officeId];
  const name = textAt(given.name) ?? (byId ? system : source?.name);
  if (byId) fields[officeSource] = { name, key: id };
  else if (key !== undefined) fields[officeSource] = { ...(name !== undefined && { name }), key };
  else if (isAlreadySet && !isNamed) fields[officeId] = null;
}

function validateInput(
  fields: Fields,
  importable: Importable,
  { source, system }: Identity,
): RowRecord['rowErrors'] {
  const rowErrors: RowRecord['rowErrors'] = [];
  const given = isObject(fields.source) ? fields.source : {};
  const isHalf = textAt(given.name) !== undefined || textAt(given.key) !== undefined;
  if (source === undefined && isHalf && textAt(fields.id) === undefined) {
    const message = 'needs both a name and a key; --source gives a name to all rows';
    rowErrors.push({ field: 'source', code: 'required', message });
  }
  for (const field of importable.agentIds) {
    if (system === undefined || textAt(fields[field]) === undefined) continue;
    const message = `is an id of ${system}, and agents cannot be found by it; skip the column with --ignore`;
    rowErrors.push({ field: field, code: 'not_found', message });
  }
  return rowErrors;
}

/**
 * Converts a row to a record. `sourceName` is the value of `--source`. A row without a key in its source gets that of
 * `--key-column`, else its id, else a hash of its values.
 */
export function recordOf(
  { values, key }: Pick<ReadRow, 'values' | 'key'>,
  importable: Importable,
  sourceName: string | undefined,
): RowRecord {
  const fields: Fields = {};
  for (const [{ path }, value] of values) put(fields, path, value);
  joinParts(fields);
  const identity = identityOf(fields, key, sourceName);
  const rowErrors = validateInput(fields, importable, identity);
  resolveOffice(fields, importable, identity);
  const { id, status, source: _, ...record } = fields;
  const { source } = identity;
  if (source !== undefined) record.source = source;
  return { record, source, id: source === undefined ? textAt(id) : undefined, status, rowErrors };
}

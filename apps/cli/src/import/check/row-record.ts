import { createHash } from 'node:crypto';
import type { Input } from '../../input/fields.ts';
import type { Importable } from '../importable.ts';
import type { ReadRow } from '../read/rows.ts';

/** A record as a row says it, and how the record that is there already is found. */
export interface RowRecord {
  /** What is sent: with `source`, or for a record that is known by its id alone, without. */
  record: Input;
  /** The source; undefined where the id says which record it is. */
  source: Source | undefined;
  id: string | undefined;
  /** The state it is to be in; undefined where the row does not say. */
  status: unknown;
  faults: { place: string; code: string; reason: string }[];
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

/** Puts together what comes in parts that are not ours: the only licence, and the end of an American postal code. */
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

/** A key for a row that has none: the same for the same row, wherever in the file it stands. */
function hashOf(fields: Fields): string {
  const sorted = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 32);
}

interface Identity {
  source: Source | undefined;
  /** The system whose keys the ids in the row are; undefined where they are ours. */
  system: string | undefined;
}

/**
 * Which record a row is about. A key without a system's name, or a name without a key but with an id, is completed; with
 * `--source` every id of the file is a key of that system.
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

/** Says the office in one way: by its source where the row has one, by its name, or by its id. */
function nameOffice(
  fields: Fields,
  { officeId, officeSource, officeName }: Importable,
  { source, system }: Identity,
): void {
  const given = isObject(fields[officeSource]) ? fields[officeSource] : {};
  const isNamed = officeName !== undefined && textAt(fields[officeName]) !== undefined;
  const id = textAt(fields[officeId]);
  const isSaid = [officeId, officeSource, officeName].some((field) => field !== undefined && field in fields);
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
  else if (isSaid && !isNamed) fields[officeId] = null;
}

function faultsOf(fields: Fields, importable: Importable, { source, system }: Identity): RowRecord['faults'] {
  const faults: RowRecord['faults'] = [];
  const given = isObject(fields.source) ? fields.source : {};
  const isHalf = textAt(given.name) !== undefined || textAt(given.key) !== undefined;
  if (source === undefined && isHalf && textAt(fields.id) === undefined) {
    const reason = 'needs both a name and a key; --source gives a name to all rows';
    faults.push({ place: 'source', code: 'required', reason });
  }
  for (const field of importable.agentIds) {
    if (system === undefined || textAt(fields[field]) === undefined) continue;
    const reason = `is an id of ${system}, and agents cannot be found by it; leave it out with --ignore`;
    faults.push({ place: field, code: 'not_found', reason });
  }
  return faults;
}

/**
 * The record that a row says. `sourceName` is that of `--source`. A row without a key in its source takes that of
 * `--key-column`, else its id, else a hash of what it says.
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
  const faults = faultsOf(fields, importable, identity);
  nameOffice(fields, importable, identity);
  const { id, status, source: _, ...record } = fields;
  const { source } = identity;
  if (source !== undefined) record.source = source;
  return { record, source, id: source === undefined ? textAt(id) : undefined, status, faults };
}

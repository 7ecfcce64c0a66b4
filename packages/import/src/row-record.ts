import { domainToUnicode } from 'node:url';
import { trimmedText, withoutCase } from '@roster/fields/text';
import { WHOLE_NAME } from './columns.ts';
import type { Importable, OfficeFields } from './importable.ts';
import type { Input, ReadRow } from './rows.ts';
import { type NameParts, splitName } from './values/names.ts';
import { findRegion } from './values/regions.ts';

/** The record in a row, and how to find the existing record that it updates. */
export interface RowRecord {
  /** The record to send: with `source`, or without if it is identified by its id. */
  record: Input;
  /** The source; undefined if the record is identified by its id. */
  source: Source | undefined;
  id: string | undefined;
  /** The requested status; undefined if the row has none. */
  status: unknown;
  /** Whether the row is an item of a list of the record: the list has that item alone, or none. */
  isItem: boolean;
  rowErrors: Fault[];
}

interface Fault {
  field: string;
  code: string;
  message: string;
}

interface Source {
  name: string;
  key: string;
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textAt = (value: unknown): string | undefined =>
  (typeof value === 'string' && trimmedText(value)) || undefined;

function put(fields: Fields, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    fields[name] = value;
    return;
  }
  const inner = isObject(fields[name]) ? fields[name] : {};
  fields[name] = inner;
  put(inner, rest, value);
}

/** A value without blanks around it; undefined for one that says nothing. What is no text stays, and is rejected by the service. */
function givenAt(value: unknown): unknown {
  return typeof value === 'string' ? textAt(value) : (value ?? undefined);
}

/** Takes extensions out of phone numbers, such as `(305) 555-0100 x12`, if the record has a field for one and the row does not set it. */
function splitExtensions(fields: Fields, importable: Importable): void {
  for (const { path } of importable.fields) {
    const [field = ''] = path;
    const phone = field.replace(/Ext$/, '');
    const given = fields[phone];
    if (phone === field || typeof given !== 'string' || textAt(fields[field]) !== undefined) continue;
    // No number is longer, and the pattern would take long for a long text.
    if (given.length > 100) continue;
    const [, number, extension] = /^(.*\d[^\d]*?)\s*(?:extension|ext\.?|x)\s*(\d+)\s*$/i.exec(given) ?? [];
    if (extension !== undefined) Object.assign(fields, { [phone]: number, [field]: extension });
  }
}

/** Reads the name of a region as its code, if the row says the country. */
function readRegion(address: Fields): void {
  const { country, region } = address;
  if (typeof country !== 'string' || typeof region !== 'string') return;
  address.region = findRegion(region, country) ?? region;
}

/** Adds the parts of a whole name. Columns for a prefix, a suffix or designations come before what the name has of them. */
function addNames(fields: Fields, { namePrefix, nameSuffix, designations, ...names }: NameParts): void {
  Object.assign(fields, names);
  for (const [field, value] of Object.entries({ namePrefix, nameSuffix, designations }))
    if (value !== undefined) fields[field] ??= value;
}

/**
 * Joins fields that the Data Dictionary splits, a postal code and its ZIP+4 suffix, reads names of regions, and splits a whole name. Of
 * a licence, whose parts the service puts among those that the record has, empty cells say nothing. Returns the faults.
 */
function joinParts(fields: Fields): Fault[] {
  const { licenses, address, [WHOLE_NAME]: wholeName } = fields;
  if (WHOLE_NAME in fields) {
    delete fields[WHOLE_NAME];
    if (typeof wholeName === 'string') addNames(fields, splitName(wholeName).parts);
  }
  if (isObject(licenses)) {
    const license = licenses[0];
    if (isObject(license) && Object.values(license).every((part) => part === null)) delete fields.licenses;
  }
  if (isObject(address)) readRegion(address);
  if (isObject(address) && 'postalCodePlus4' in address) {
    const { postalCodePlus4, ...rest } = address;
    fields.address = rest;
    const [code, suffix] = [textAt(rest.postalCode), textAt(postalCodePlus4)];
    if (suffix === undefined) return [];
    if (code === undefined) {
      const message = 'is the suffix of a postal code, and there is none';
      return [{ field: 'address.postalCodePlus4', code: 'required', message }];
    }
    // Some files have the suffix in both columns.
    if (!code.endsWith(`-${suffix}`)) rest.postalCode = `${code}-${suffix}`;
  }
  return [];
}

/** The values that say something: none is null. */
function saidFields(fields: Fields): [name: string, value: unknown][] {
  return Object.entries(fields)
    .map(([name, value]): [string, unknown] => [name, isObject(value) ? saidFields(value) : value])
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * A text from the values of a row, independent of its position in the file, of the order of its columns, of the Unicode form of its
 * texts, and of whether empty cells clear a field.
 */
function textOfFields(fields: Fields): string {
  return JSON.stringify(saidFields(fields), (_, value: unknown) =>
    typeof value === 'string' ? trimmedText(value) : value,
  );
}

/** The source of the records of a file. */
export interface RecordOptions {
  /** The source of rows that name none; undefined if there is none. */
  sourceName: string | undefined;
  /** Makes the key of a row without one from its values; without it such a row has no source. */
  hashOf?: (text: string) => string;
}

/** A source as one text, for comparison. */
function sourceText({ name, key }: Source): string {
  return JSON.stringify([trimmedText(name), trimmedText(key)]);
}

/** The source of the main office of an office, as one text; null if it has none. */
function mainOf(
  { record }: Pick<RowRecord, 'record'>,
  { isTree, office }: Pick<Importable, 'isTree' | 'office'>,
): string | null {
  if (!isTree || office === undefined) return null;
  const main = record[office.source] as Partial<Source> | undefined;
  if (typeof main?.name !== 'string' || typeof main.key !== 'string') return null;
  return sourceText({ name: main.name, key: main.key });
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
function identityOf(
  fields: Fields,
  key: string | undefined,
  { sourceName, hashOf }: RecordOptions,
): Identity {
  const given = isObject(fields.source) ? fields.source : {};
  const name = textAt(given.name) ?? sourceName;
  const ownKey = textAt(given.key);
  const id = textAt(fields.id);
  if (name === undefined) return { source: undefined, system: undefined };
  const isForeign = sourceName !== undefined || (ownKey === undefined && id !== undefined);
  const found =
    ownKey ?? textAt(key) ?? id ?? (sourceName === undefined ? undefined : hashOf?.(textOfFields(fields)));
  return {
    source: found === undefined ? undefined : { name, key: found },
    system: isForeign ? (sourceName ?? name) : undefined,
  };
}

/** The fields that are not of an item: rows of one record have them in common. */
function sharedFields(fields: Fields, { itemRows }: Importable): Fields {
  if (itemRows === undefined || !isObject(fields[itemRows.field])) return fields;
  const { [itemRows.field]: _, ...shared } = fields;
  return shared;
}

/**
 * Makes the columns of an item a list with it, or without one if they are empty. Its record is named by a key if it has one; an id of
 * another system is one. Returns whether the row has such columns.
 */
function joinItem(
  fields: Fields,
  { itemRows }: Importable,
  { source, system }: Pick<Identity, 'source' | 'system'>,
): boolean {
  const given = itemRows && fields[itemRows.field];
  if (itemRows === undefined || !isObject(given)) return false;
  const { field, idField, source: sourceField = '' } = itemRows;
  const { [idField]: id, [sourceField]: named, ...parts } = given;
  const { name, key } = isObject(named) ? named : {};
  const [ownId, ownName] = [givenAt(id), givenAt(name)];
  const ownKey = givenAt(key) ?? (system === undefined ? undefined : ownId);
  const sourceName = ownName ?? system ?? source?.name;
  const isNamed = ownKey !== undefined || (ownName !== undefined && ownId === undefined);
  const item = {
    ...(system === undefined && ownId !== undefined && { [idField]: ownId }),
    ...(isNamed && { [sourceField]: { name: sourceName, ...(ownKey !== undefined && { key: ownKey }) } }),
    ...(named !== undefined && named !== null && !isObject(named) && { [sourceField]: named }),
    ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== null)),
  };
  fields[field] = Object.keys(item).length === 0 ? [] : [item];
  return true;
}

/** Whether a row names its office by the id or the name. */
function namesOffice(fields: Fields, office: OfficeFields): boolean {
  return [office.id, office.name].some((field) => field !== undefined && textAt(fields[field]) !== undefined);
}

/** Reduces the reference to the office to one: its source if there is one, else its name, else its id. */
function resolveOffice(
  fields: Fields,
  { id: officeId, source: officeSource, name: officeName }: OfficeFields,
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

/** The faults of the name and the key of a source, which are taken apart before the service could find them. */
function faultsOfSource(field: string, value: unknown): Fault[] {
  if (value === undefined || value === null) return [];
  const faultAt = (name: string, code: string, message: string) => {
    return { field: name === '' ? field : `${field}.${name}`, code, message };
  };
  if (!isObject(value)) return [faultAt('', 'invalid_type', 'must be an object with a name and a key')];
  return Object.entries(value).flatMap(([name, part]) => {
    if (name !== 'name' && name !== 'key') return [faultAt(name, 'unknown_field', 'is not a known field')];
    const isText = part === null || typeof part === 'string';
    return isText ? [] : [faultAt(name, 'invalid_type', 'must be a text')];
  });
}

/** The faults of the source by which a row names its office. */
function faultsOfOffice(fields: Fields, office: OfficeFields): Fault[] {
  const given = fields[office.source];
  const { name, key } = isObject(given) ? given : {};
  const isHalf = textAt(name) !== undefined && textAt(key) === undefined;
  if (!isHalf || namesOffice(fields, office)) return [];
  const message = `names the source of ${office.text}, but no key in it`;
  return [{ field: office.source, code: 'required', message }];
}

/** The faults of a row in the parts that say which records it is about; `key` is that of the key column. */
function validateInput(
  fields: Fields,
  importable: Importable,
  { source, system, key }: Identity & { key: string | undefined },
): Fault[] {
  const { office } = importable;
  const rowErrors = faultsOfSource('source', fields.source);
  if (office !== undefined) rowErrors.push(...faultsOfSource(office.source, fields[office.source]));
  if (rowErrors.length > 0) return rowErrors;
  const given = isObject(fields.source) ? fields.source : {};
  const isHalf = [given.name, given.key, key].some((part) => textAt(part) !== undefined);
  if (source === undefined && isHalf) {
    const message = 'needs both a name and a key; or give all rows one source';
    rowErrors.push({ field: 'source', code: 'required', message });
  }
  if (office !== undefined) rowErrors.push(...faultsOfOffice(fields, office));
  for (const { field, resource } of importable.otherIds) {
    if (system === undefined || textAt(fields[field]) === undefined) continue;
    const message = `is an ID of ${system}, and ${resource} cannot be found by it; ignore the column`;
    rowErrors.push({ field, code: 'not_found', message });
  }
  return rowErrors;
}

/**
 * Converts a row to a record. A row without a key in its source gets that of the key column, else its id, else a hash of its
 * values, if there is a function that makes one.
 */
export function recordOf(
  { values, key }: Pick<ReadRow, 'values' | 'key'>,
  importable: Importable,
  options: RecordOptions,
): RowRecord {
  const fields: Fields = {};
  for (const [{ path }, value] of values) put(fields, path, value);
  const partErrors = joinParts(fields);
  splitExtensions(fields, importable);
  const identity = identityOf(sharedFields(fields, importable), key, options);
  const isItem = joinItem(fields, importable, identity);
  const rowErrors = [...partErrors, ...validateInput(fields, importable, { ...identity, key })];
  if (importable.office !== undefined) resolveOffice(fields, importable.office, identity);
  const { id, status, source: _, ...record } = fields;
  const { source } = identity;
  if (source !== undefined) record.source = source;
  return { record, source, id: source === undefined ? textAt(id) : undefined, status, isItem, rowErrors };
}

/** The keys of the record of a row, in the form in which rows are compared. */
export interface RowIdentity {
  /** The source as one text; null if the record is identified by its id. */
  source: string | null;
  id: string | null;
  /** The e-mail address, if it must be unique. */
  email: string | null;
  /** The source of its main office, as one text. */
  main: string | null;
  status: string | null;
}

/** An address with its host in letters, as the service keeps it: `xn--bcher-kva.example` is `bücher.example`. */
function lettersOfHost(email: string): string {
  if (!/xn--/i.test(email)) return email;
  const at = email.lastIndexOf('@');
  return `${email.slice(0, at)}@${domainToUnicode(email.slice(at + 1)) || email.slice(at + 1)}`;
}

/** The keys of a record, for the comparison of rows with each other. */
export function rowIdentityOf(row: RowRecord, importable: Importable): RowIdentity {
  const { record, source, id, status } = row;
  const email = importable.isEmailUnique && typeof record.email === 'string' ? record.email : null;
  return {
    source: source === undefined ? null : sourceText(source),
    id: id?.toLowerCase() ?? null,
    email: email === null ? null : withoutCase(lettersOfHost(trimmedText(email))),
    main: mainOf(row, importable),
    status: typeof status === 'string' ? status : null,
  };
}

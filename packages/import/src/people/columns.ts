import type { BareField, BareRecordContract, RecordContract } from '@roster/fields';

/** Columns and cells of lists and files for people, in every interface. */

type RecordValues = Readonly<Record<string, unknown>>;

type Contract = Pick<RecordContract | BareRecordContract, 'fields' | 'expansions' | 'parentField'>;

/** The number of the licence that ends next. */
export const LICENSE_NUMBER = 'licenseNumber';

const LICENSE_END = 'nextLicenseExpiresOn';

/** The columns of a file beside the end of a licence. */
const licenseColumns = [LICENSE_NUMBER, 'mobilePhone', 'officeId'];

/** The titles of these columns in English. The console has them in other languages. */
const titles: Readonly<Record<string, string>> = {
  displayName: 'Name',
  name: 'Name',
  officeId: 'Office',
  'address.city': 'City',
  phone: 'Phone',
  email: 'Email',
  [LICENSE_END]: 'Licence ends',
  [LICENSE_NUMBER]: 'Licence number',
  mobilePhone: 'Mobile',
  'counts.agents': 'Active agents',
  status: 'Status',
  updatedAt: 'Changed',
};

export const englishTitle = (name: string): string => titles[name] ?? name;

/** The columns of a file for the columns of a list: beside the end of a licence, whose it is and how to reach that agent. */
export function fileColumnsOf(names: readonly string[], { fields }: Pick<Contract, 'fields'>): string[] {
  if (!names.includes(LICENSE_END)) return [...names];
  const known = new Set([LICENSE_NUMBER, ...fields.map(({ name }) => name)]);
  const added = licenseColumns.filter((name) => known.has(name) && !names.includes(name));
  return [...names, ...added];
}

/** The expansions of a list that has these columns. */
export function expansionsOf(
  names: readonly string[],
  { expansions, parentField }: Pick<Contract, 'expansions' | 'parentField'>,
): string[] {
  const parts: readonly [name: string, isShown: boolean][] = [
    [embeddedField(parentField ?? ''), true],
    ['place', names.includes('address.city')],
    ['counts', names.some((name) => name.startsWith('counts.'))],
  ];
  return parts.flatMap(([name, isShown]) => (isShown && expansions.includes(name) ? [name] : []));
}

/** The field in which a list embeds the record of an id: `office` of `officeId`. */
const embeddedField = (field: string) => field.replace(/Id$/, '');

/** The paths whose first value a column shows: the best number of a person, and the place where they work. */
const shownPaths: Readonly<Record<string, readonly string[]>> = {
  phone: ['phone', 'mobilePhone', 'directPhone'],
  'address.city': ['address.city', 'place.city'],
};

const isObject = (value: unknown): value is RecordValues => typeof value === 'object' && value !== null;

const valueAt = (record: RecordValues, path: string) =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), record);

const isValue = (value: unknown) => value !== null && value !== undefined && value !== '';

/** The path of the value that a column shows of a record. */
export function shownPath(record: RecordValues, name: string): string {
  return shownPaths[name]?.find((path) => isValue(valueAt(record, path))) ?? name;
}

/** The value that a column shows of a record; undefined without one. */
export function shownValue(record: RecordValues, name: string): unknown {
  const value = valueAt(record, shownPath(record, name));
  return isValue(value) ? value : undefined;
}

/** The way in which people read the values of a file. */
export interface Wording {
  phone: (stored: string) => string;
  choice: (field: string, value: string) => string | undefined;
}

function licenseNumber({ licenses, nextLicenseExpiresOn: day }: RecordValues): string {
  const all: readonly unknown[] = Array.isArray(licenses) ? licenses : [];
  const next = all.find((license) => isObject(license) && license.expiresOn === day);
  return isObject(next) ? String(next.number ?? '') : '';
}

function itemText(item: unknown): string {
  if (!isObject(item)) return String(item);
  const { number, type } = item;
  return typeof (number ?? type) === 'string' ? String(number ?? type) : JSON.stringify(item);
}

function objectText(value: RecordValues): string | number {
  if (typeof value.active === 'number') return value.active;
  return Object.entries(value)
    .map(([name, text]) => `${name}: ${String(text)}`)
    .join(', ');
}

/** A cell for people: a text, a number, or a day or time as the API has it. */
export interface PeopleCell {
  kind: 'text' | 'number' | 'day' | 'time';
  value: string | number;
}

const kinds: Readonly<Partial<Record<BareField['kind'], PeopleCell['kind']>>> = {
  date: 'day',
  time: 'time',
  number: 'number',
};

const fieldKind = (name: string, { fields }: Pick<Contract, 'fields'>) =>
  fields.find((field) => field.name === name)?.kind ?? 'text';

/** The kind of the cells of a column. */
export const columnKind = (name: string, contract: Pick<Contract, 'fields'>): PeopleCell['kind'] =>
  name.startsWith('counts.') ? 'number' : (kinds[fieldKind(name, contract)] ?? 'text');

/** The cell of a record in a column of a file for people; undefined without a value. */
export function peopleCell(
  record: RecordValues,
  name: string,
  contract: Pick<Contract, 'fields'>,
  { phone, choice }: Wording,
): PeopleCell | undefined {
  if (name === LICENSE_NUMBER) return { kind: 'text', value: licenseNumber(record) };
  const value = shownValue(record, name);
  if (value === undefined) return undefined;
  const embedded = name.endsWith('Id') ? record[embeddedField(name)] : undefined;
  if (isObject(embedded)) return { kind: 'text', value: String(embedded.displayName ?? embedded.name) };
  if (typeof value === 'number') return { kind: 'number', value };
  if (Array.isArray(value)) return { kind: 'text', value: value.map(itemText).join(', ') };
  if (isObject(value)) return { kind: columnKind(name, contract), value: objectText(value) };
  const text = String(value);
  if (fieldKind(name, contract) === 'phone') return { kind: 'text', value: phone(text) };
  return { kind: columnKind(name, contract), value: choice(name, text) ?? text };
}

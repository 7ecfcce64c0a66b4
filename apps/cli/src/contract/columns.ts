import type { ResourceName } from '@roster/client';
import { records } from '@roster/contract/records';
import { isObject } from '@roster/fields/objects';

export type Row = Readonly<Record<string, unknown>>;

/** The paths of the fields of a record, of which there may be several kinds: `address.city`. */
type FieldPath<Value> = Value extends unknown
  ? {
      [Name in keyof Value & string]: NonNullable<Value[Name]> extends readonly unknown[]
        ? Name
        : NonNullable<Value[Name]> extends object
          ? Name | `${Name}.${FieldPath<NonNullable<Value[Name]>>}`
          : Name;
    }[keyof Value & string]
  : never;

export interface Column {
  /** The path of the value; the header in TSV. */
  field: string;
  title: string;
  /** Minimum width in a table, in cells; without it the column is shown in full or not at all. */
  widthMin?: number;
  /** The resource of the records whose ids it has; a table shows their names. */
  refersTo?: string | ((row: Row) => string | undefined);
}

const titles: Readonly<Record<string, string>> = {
  email: 'EMAIL',
  effectiveAt: 'TIME',
  occurredAt: 'TIME',
  lastSignedInAt: 'SIGNED IN',
  signInWay: 'SIGNS IN BY',
  hint: 'SECRET',
  errorCode: 'ERROR',
  detail: 'REASON',
  'mail.to': 'SENT TO',
};

/** The last part of a path; for the name of a related record, the part before it. */
const wordOf = (field: string) =>
  field
    .replace(/(?<=.)\.name$/, '')
    .split('.')
    .at(-1) ?? '';

/** The header of a field in a table: `OFFICE` of `officeId`, `CREATED` of `createdAt`, `OWNER` of `owner.name`. */
function titleOf(field: string): string {
  const word = wordOf(field);
  const plain = word.replace(/^is(?=[A-Z])/, '').replace(/(?:Id|At)$/, '');
  const title = titles[field] ?? titles[word];
  return title ?? plain.replaceAll(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`).toUpperCase();
}

/** The columns that may be shortened, by the last parts of their paths: those of texts, and others with their minimum widths. */
const texts = new Set(['name', 'email', 'to', 'url', 'client', 'scopes', 'types', 'grants', 'value']);
const widths: Readonly<Record<string, number>> = {
  city: 8,
  reason: 8,
  errorCode: 8,
  actorId: 8,
  detail: 20,
};
const TEXT_MIN = 14;

function widthOf(field: string): number | undefined {
  // Wide enough for the date of a timestamp; the time of an event or a change is shown whole.
  if (/(?:At|Since|Until)$/.test(field)) return titles[field] === 'TIME' ? undefined : 11;
  if (field.endsWith('.name') || referred[field] !== undefined) return 10;
  return texts.has(wordOf(field)) ? TEXT_MIN : widths[wordOf(field)];
}

const bySingular: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(records).map(([name, { singular }]) => [singular, name]),
);

function kindOfSubject({ resource, type }: Row): string | undefined {
  return resource === undefined ? bySingular[String(type).split('.')[0] ?? ''] : String(resource);
}

const referred: Readonly<Record<string, Column['refersTo']>> = {
  ...Object.fromEntries(
    Object.values(records).flatMap(({ fields }) => fields.map(({ name, refersTo }) => [name, refersTo])),
  ),
  subject: kindOfSubject,
};

function columnOf(field: string, title = titleOf(field)): Column {
  const [widthMin, refersTo] = [widthOf(field), referred[field]];
  return {
    field,
    title,
    ...(widthMin !== undefined && { widthMin }),
    ...(refersTo !== undefined && { refersTo }),
  };
}

export function columnsOf<Record>(fields: readonly FieldPath<Record>[]): Column[] {
  return fields.map((field) => columnOf(field));
}

export function plainColumns(fields: readonly string[]): Column[] {
  return fields.map((field) => ({ field, title: field }));
}

/** The columns of a list of the directory, with the expanded name of the related record, place of work or counts. */
export function recordColumns(resource: ResourceName, expand: unknown): Column[] {
  const { listFields, countFields, parentField, nameField } = records[resource];
  const expanded = new Set([expand].flat());
  const parent = [...expanded].find((name) => `${name}Id` === parentField);
  const own = listFields.map((field) => {
    if (field === nameField) return { ...columnOf(field, 'NAME'), widthMin: TEXT_MIN };
    return columnOf(field === parentField && parent !== undefined ? `${parent}.name` : field);
  });
  const counts = expanded.has('counts') ? countFields : [];
  return [
    columnOf('id'),
    ...own,
    ...(expanded.has('place') ? [columnOf('place.city', 'CITY')] : []),
    ...counts.map((field) => columnOf(field, titleOf(field.replace('.active', '')))),
  ];
}

const isContact = ({ field }: Column) => field === 'email' || field === 'phone';

/** The columns in the order for a table: the name before the ID, and the office before email and phone. */
export function columnsForPeople(columns: readonly Column[]): Column[] {
  const [first, second, ...rest] = columns;
  const named = first?.field === 'id' && second !== undefined ? [second, first, ...rest] : [...columns];
  const contacts = named.filter(isContact);
  const at = named.findIndex(isContact);
  return at < 0
    ? named
    : [...named.slice(0, at), ...named.slice(at).filter((one) => !isContact(one)), ...contacts];
}

/** The value at a path; of a list, the values of its items. */
export function valueAt(row: Row, field: string): unknown {
  const partOf = (value: unknown, name: string): unknown =>
    Array.isArray(value)
      ? value.map((item) => partOf(item, name))
      : isObject(value)
        ? value[name]
        : undefined;
  return field.split('.').reduce<unknown>(partOf, row);
}

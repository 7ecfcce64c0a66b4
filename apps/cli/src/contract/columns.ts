import type { ResourceName } from '@roster/client';
import { records } from '@roster/contract/records';

/** A record, as the output code reads it. */
export type Row = Readonly<Record<string, unknown>>;

/** The paths of the fields of a record: `address.city`. */
type FieldPath<Value> = {
  [Name in keyof Value & string]: NonNullable<Value[Name]> extends readonly unknown[]
    ? Name
    : NonNullable<Value[Name]> extends object
      ? Name | `${Name}.${FieldPath<NonNullable<Value[Name]>>}`
      : Name;
}[keyof Value & string];

/** One column of a list. */
export interface Column {
  /** The path of the value; the header in TSV. */
  field: string;
  /** The header in a table. */
  title: string;
  /** Minimum width in a table, in cells; without it the column is shown in full or not at all. */
  widthMin?: number;
  /** The resource of the records whose ids it has; a table shows their names. */
  refersTo?: string | ((row: Row) => string | undefined);
}

/** The headers that the names of fields do not say. */
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

/** The last part of the path of a field; of the name of another record what that is. */
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

/** The resource of the directory that an event or a scheduled change is about; undefined if it is about something else. */
function kindOfSubject({ resource, type }: Row): string | undefined {
  return resource === undefined ? bySingular[String(type).split('.')[0] ?? ''] : String(resource);
}

/** The resources that fields refer to, by their names. */
const referred: Readonly<Record<string, Column['refersTo']>> = {
  ...Object.fromEntries(
    Object.values(records).flatMap(({ fields }) => fields.map(({ name, refersTo }) => [name, refersTo])),
  ),
  subject: kindOfSubject,
};

/** A column by the path of its field, with what does not follow from that. */
function columnOf(field: string, title = titleOf(field)): Column {
  const [widthMin, refersTo] = [widthOf(field), referred[field]];
  return {
    field,
    title,
    ...(widthMin !== undefined && { widthMin }),
    ...(refersTo !== undefined && { refersTo }),
  };
}

/** The columns of a list, for fields that its records have. */
export function columnsOf<Record>(fields: readonly FieldPath<Record>[]): Column[] {
  return fields.map((field) => columnOf(field));
}

/** Columns of lines, which have no titles but the names of their fields. */
export function plainColumns(fields: readonly string[]): Column[] {
  return fields.map((field) => ({ field, title: field }));
}

/** The columns of the list of a resource of the directory, and of what it embeds: counts, or the record that a record belongs to. */
export function recordColumns(resource: ResourceName, expand: unknown): Column[] {
  const { listFields, countFields, parentField, nameField } = records[resource];
  const own = listFields.map((field) => {
    if (field === nameField) return { ...columnOf(field, 'NAME'), widthMin: TEXT_MIN };
    return columnOf(field === parentField && `${expand}Id` === field ? `${expand}.name` : field);
  });
  const counts = expand === 'counts' ? countFields : [];
  return [
    columnOf('id'),
    ...own,
    ...counts.map((field) => columnOf(field, titleOf(field.replace('.active', '')))),
  ];
}

/** The columns of contacts, before which a table has the records that a record belongs to. */
const isContact = ({ field }: Column) => field === 'email' || field === 'phone';

/** The columns of a list as a table has them, the most important first: the name before the id, and an office before its contacts. */
export function columnsForPeople(columns: readonly Column[]): Column[] {
  const [first, second, ...rest] = columns;
  const named = first?.field === 'id' && second !== undefined ? [second, first, ...rest] : [...columns];
  const contacts = named.filter(isContact);
  const at = named.findIndex(isContact);
  return at < 0
    ? named
    : [...named.slice(0, at), ...named.slice(at).filter((one) => !isContact(one)), ...contacts];
}

/** The value of a field of a record by its path, or of each item of a list; undefined if there is none. */
export function valueAt(row: Row, field: string): unknown {
  const partOf = (value: unknown, name: string): unknown =>
    Array.isArray(value)
      ? value.map((item) => partOf(item, name))
      : (value as Row | null | undefined)?.[name];
  return field.split('.').reduce<unknown>(partOf, row);
}

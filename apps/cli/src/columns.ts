import type {
  DeletedRecord,
  Event,
  Import,
  Invitation,
  Job,
  Key,
  Passkey,
  Person,
  ResourceName,
  ScheduledChange,
  Session,
  View,
  Webhook,
} from '@roster/client';
import { operations } from '@roster/contract/operations';
import { records } from '@roster/contract/records';
import type { IdKind } from './short-ids.ts';

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
  /** The resource whose ids it contains; a table shortens them. */
  idOf?: IdKind | ((row: Row) => IdKind | undefined);
}

/** A column of a list, for a field that its records have. */
export function column<Record>(field: FieldPath<Record>, title: string, widthMin?: number): Column {
  return { field, title, ...(widthMin !== undefined && { widthMin }) };
}

const kindsOfEvents: Readonly<Record<string, IdKind>> = {
  ...Object.fromEntries(Object.entries(records).map(([name, { singular }]) => [singular, name as IdKind])),
  webhook: 'webhooks',
  key: 'keys',
  person: 'people',
  session: 'sessions',
};

/** The resource that an event of a type is about. */
function kindOfType(type: string): IdKind | undefined {
  return kindsOfEvents[type.split('.')[0] ?? ''];
}

/** The minimum widths of the columns that may be shortened, by the last part of their paths. */
const widths: Readonly<Record<string, number>> = { name: 14, email: 14, phone: 10, city: 8 };

/** The header of a field in a table: `OFFICE` of `officeId`, `E-MAIL`. */
function titleOf(field: string): string {
  const name = (field.split('.').at(-1) ?? '').replace(/Id$/, '');
  if (name === 'email') return 'E-MAIL';
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase();
}

/** A column of the list of a resource, by the path of its field. */
function recordColumn(resource: ResourceName, field: string): Column {
  const { nameField, fields } = records[resource];
  const isName = field === nameField;
  const widthMin = isName ? widths.name : widths[field.split('.').at(-1) ?? ''];
  const idOf = field === 'id' ? resource : fields.find(({ name }) => name === field)?.refersTo;
  return {
    field,
    title: isName ? 'NAME' : titleOf(field),
    ...(widthMin !== undefined && { widthMin }),
    ...(idOf !== undefined && { idOf: idOf as IdKind }),
  };
}

/** The columns of the list of a resource of the directory, and of what it embeds: counts, or the record that a record belongs to. */
export function recordColumns(resource: ResourceName, expand: unknown): Column[] {
  const { listFields, countFields, parentField } = records[resource];
  const own = ['id', ...listFields].map((field) =>
    field === parentField && `${expand}Id` === field
      ? { field: `${expand}.name`, title: titleOf(field), widthMin: 10 }
      : recordColumn(resource, field),
  );
  return expand === 'counts'
    ? [...own, ...countFields.map((field) => ({ field, title: titleOf(field.replace('.active', '')) }))]
    : own;
}

/** The resource of the office that a transfer is to. */
const officeKind = operations['scheduledChanges.list']?.fields.find(({ name }) => name === 'officeId')
  ?.refersTo as IdKind;

export const scheduledChangeColumns: Column[] = [
  { ...column<ScheduledChange>('id', 'ID'), idOf: 'scheduled-changes' },
  column<ScheduledChange>('effectiveAt', 'TIME'),
  column<ScheduledChange>('change', 'CHANGE'),
  {
    ...column<ScheduledChange>('subject', 'RECORD'),
    idOf: ({ resource }) => resource as ResourceName,
  },
  { ...column<ScheduledChange>('officeId', 'OFFICE'), idOf: officeKind },
  column<ScheduledChange>('status', 'STATUS'),
  column<ScheduledChange>('errorCode', 'ERROR', 8),
  column<ScheduledChange>('reason', 'REASON', 8),
];

export const deletedRecordColumns: Column[] = [
  {
    ...column<DeletedRecord>('id', 'ID'),
    idOf: ({ resource }) => resource as ResourceName,
  },
  column<DeletedRecord>('resource', 'RESOURCE'),
  column<DeletedRecord>('record.email', 'E-MAIL', 14),
  column<DeletedRecord>('deletedAt', 'DELETED', 11),
  column<DeletedRecord>('restorableUntil', 'RESTORABLE UNTIL', 11),
  column<DeletedRecord>('actor.name', 'BY', 8),
  column<DeletedRecord>('reason', 'REASON', 8),
];

export const eventColumns: Column[] = [
  column<Event>('position', 'POSITION'),
  column<Event>('occurredAt', 'TIME'),
  column<Event>('type', 'TYPE'),
  { ...column<Event>('subject', 'SUBJECT'), idOf: ({ type }) => kindOfType(String(type)) },
  column<Event>('version', 'VERSION'),
  column<Event>('actorId', 'ACTOR', 8),
  column<Event>('reason', 'REASON', 8),
];

export const importColumns: Column[] = [
  { ...column<Import>('id', 'ID'), idOf: 'imports' },
  column<Import>('status', 'STATUS'),
  column<Import>('step', 'STEP'),
  column<Import>('resource', 'RESOURCE'),
  column<Import>('name', 'FILE', 14),
  column<Import>('total', 'ROWS'),
  column<Import>('rejected', 'REJECTED'),
  column<Import>('createdAt', 'CREATED', 11),
];

export const jobColumns: Column[] = [
  { ...column<Job>('id', 'ID'), idOf: 'jobs' },
  column<Job>('status', 'STATUS'),
  column<Job>('resource', 'RESOURCE'),
  column<Job>('total', 'TOTAL'),
  column<Job>('changed', 'CHANGED'),
  column<Job>('rejected', 'REJECTED'),
  column<Job>('createdAt', 'CREATED', 11),
  { ...column<Job>('undoes', 'UNDOES', 8), idOf: 'jobs' },
];

export const keyColumns: Column[] = [
  { ...column<Key>('id', 'ID'), idOf: 'keys' },
  column<Key>('name', 'NAME', 14),
  column<Key>('hint', 'SECRET'),
  column<Key>('scopes', 'SCOPES', 14),
  // Wide enough for the date of a timestamp.
  column<Key>('revokedAt', 'REVOKED', 11),
  column<Key>('expiresAt', 'EXPIRES', 11),
  column<Key>('lastUsedAt', 'LAST USED', 11),
];

export const personColumns: Column[] = [
  { ...column<Person>('id', 'ID'), idOf: 'people' },
  column<Person>('name', 'NAME', 14),
  column<Person>('email', 'E-MAIL', 14),
  column<Person>('status', 'STATUS'),
  column<Person>('signInWay', 'SIGNS IN BY'),
  column<Person>('grants', 'GRANTS', 14),
  column<Person>('lastSignedInAt', 'SIGNED IN', 11),
];

export const invitationColumns: Column[] = [
  { ...column<Invitation>('id', 'ID'), idOf: 'invitations' },
  column<Invitation>('person.name', 'PERSON', 14),
  column<Invitation>('createdAt', 'MADE', 11),
  column<Invitation>('expiresAt', 'EXPIRES', 11),
  column<Invitation>('acceptedAt', 'ACCEPTED', 11),
  column<Invitation>('revokedAt', 'REVOKED', 11),
  column<Invitation>('mail.to', 'SENT TO', 14),
];

export const passkeyColumns: Column[] = [
  { ...column<Passkey>('id', 'ID'), idOf: 'passkeys' },
  column<Passkey>('name', 'NAME', 14),
  column<Passkey>('isSynced', 'SYNCED'),
  column<Passkey>('createdAt', 'SET UP', 11),
  column<Passkey>('lastUsedAt', 'LAST USED', 11),
];

export const sessionColumns: Column[] = [
  { ...column<Session>('id', 'ID'), idOf: 'sessions' },
  column<Session>('owner.name', 'OWNER', 10),
  column<Session>('method', 'METHOD'),
  column<Session>('client', 'CLIENT', 14),
  column<Session>('createdAt', 'SIGNED IN', 11),
  column<Session>('lastUsedAt', 'LAST USED', 11),
];

export const viewColumns: Column[] = [
  { ...column<View>('id', 'ID'), idOf: 'views' },
  column<View>('name', 'NAME', 14),
  column<View>('resource', 'RESOURCE'),
  column<View>('isShared', 'SHARED'),
  column<View>('createdBy.name', 'OWNER', 10),
  column<View>('updatedAt', 'UPDATED', 11),
];

export const webhookColumns: Column[] = [
  { ...column<Webhook>('id', 'ID'), idOf: 'webhooks' },
  column<Webhook>('url', 'URL', 14),
  column<Webhook>('status', 'STATUS'),
  column<Webhook>('types', 'TYPES', 14),
  column<Webhook>('failingSince', 'FAILING SINCE', 11),
  column<Webhook>('readTo', 'READ TO'),
];

/** The value of a field of a record by its path; undefined if there is none. */
export function valueAt(row: Row, field: string): unknown {
  return field.split('.').reduce<unknown>((value, name) => (value as Row | null | undefined)?.[name], row);
}

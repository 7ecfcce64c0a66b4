import type {
  Event,
  Job,
  Key,
  ListedAgent,
  ListedOffice,
  Office,
  Person,
  ScheduledChange,
  Session,
  Webhook,
} from '@roster/client';
import type { IdKind } from './context/short-ids.ts';

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

/** Operations on one record that take little more than its id. */
export type RecordAction =
  | 'deactivate'
  | 'reactivate'
  | 'transfer'
  | 'transfer-agents'
  | 'restore'
  | 'revoke'
  | 'rotate'
  | 'test'
  | 'replay'
  | 'cancel'
  | 'revoke-sessions';

export type OperationName =
  | 'list'
  | 'create'
  | 'invite'
  | 'current'
  | 'get'
  | 'delete'
  | 'update'
  | 'deliveries'
  | 'bulk'
  | 'errors'
  | 'undo'
  | RecordAction
  | 'history'
  | 'blame'
  | 'revert'
  | 'tail'
  | 'listen';

/** The properties in which resources differ; the commands share everything else. */
export interface Resource {
  name:
    | 'offices'
    | 'agents'
    | 'scheduled-changes'
    | 'jobs'
    | 'events'
    | 'webhooks'
    | 'keys'
    | 'people'
    | 'sessions'
    | 'stats';
  /** The summary in the help. */
  summary: string;
  operations: readonly OperationName[];
  singular: string;
  /** The field with the name by which people know the record. */
  nameField: string;
  /** The columns of its list, the most important first: a narrow terminal omits the last ones. */
  columns: (options: { expand?: unknown }) => Column[];
}

/** A column of a list, for a field that its records have. */
export function column<Record>(field: FieldPath<Record>, title: string, widthMin?: number): Column {
  return { field, title, ...(widthMin !== undefined && { widthMin }) };
}

const kindsOfEvents: Readonly<Record<string, IdKind>> = {
  office: 'offices',
  agent: 'agents',
  webhook: 'webhooks',
  key: 'keys',
  person: 'people',
  session: 'sessions',
};

/** The resource that an event of a type is about. */
function kindOfType(type: string): IdKind | undefined {
  return kindsOfEvents[type.split('.')[0] ?? ''];
}

const officeColumns: Column[] = [
  { ...column<Office>('id', 'ID'), idOf: 'offices' },
  column<Office>('name', 'NAME', 14),
  column<Office>('status', 'STATUS'),
  column<Office>('address.city', 'CITY', 8),
  column<Office>('email', 'E-MAIL', 14),
  column<Office>('phone', 'PHONE', 10),
];

const countsOfOffice: Column[] = [
  column<ListedOffice>('counts.agents.active', 'AGENTS'),
  column<ListedOffice>('counts.branches', 'BRANCHES'),
];

const agentColumns: Column[] = [
  { ...column<ListedAgent>('id', 'ID'), idOf: 'agents' },
  column<ListedAgent>('displayName', 'NAME', 14),
  column<ListedAgent>('status', 'STATUS'),
  column<ListedAgent>('email', 'E-MAIL', 14),
  column<ListedAgent>('phone', 'PHONE', 10),
];
const officeOfAgent: Column = { ...column<ListedAgent>('officeId', 'OFFICE'), idOf: 'offices' };
const officeNameOfAgent = column<ListedAgent>('office.name', 'OFFICE', 10);

const scheduledChangeColumns: Column[] = [
  { ...column<ScheduledChange>('id', 'ID'), idOf: 'scheduled-changes' },
  column<ScheduledChange>('effectiveAt', 'TIME'),
  column<ScheduledChange>('change', 'CHANGE'),
  {
    ...column<ScheduledChange>('subject', 'RECORD'),
    idOf: ({ resource }) => (resource === 'offices' ? 'offices' : 'agents'),
  },
  { ...column<ScheduledChange>('officeId', 'OFFICE'), idOf: 'offices' },
  column<ScheduledChange>('status', 'STATUS'),
  column<ScheduledChange>('errorCode', 'ERROR', 8),
  column<ScheduledChange>('reason', 'REASON', 8),
];

const eventColumns: Column[] = [
  column<Event>('position', 'POSITION'),
  column<Event>('occurredAt', 'TIME'),
  column<Event>('type', 'TYPE'),
  { ...column<Event>('subject', 'SUBJECT'), idOf: ({ type }) => kindOfType(String(type)) },
  column<Event>('version', 'VERSION'),
  column<Event>('actorId', 'ACTOR', 8),
  column<Event>('reason', 'REASON', 8),
];

const jobColumns: Column[] = [
  { ...column<Job>('id', 'ID'), idOf: 'jobs' },
  column<Job>('status', 'STATUS'),
  column<Job>('resource', 'RESOURCE'),
  column<Job>('total', 'TOTAL'),
  column<Job>('changed', 'CHANGED'),
  column<Job>('rejected', 'REJECTED'),
  column<Job>('createdAt', 'CREATED', 11),
  { ...column<Job>('undoes', 'UNDOES', 8), idOf: 'jobs' },
];

const keyColumns: Column[] = [
  { ...column<Key>('id', 'ID'), idOf: 'keys' },
  column<Key>('name', 'NAME', 14),
  column<Key>('hint', 'SECRET'),
  column<Key>('scopes', 'SCOPES', 14),
  // Wide enough for the date of a timestamp.
  column<Key>('revokedAt', 'REVOKED', 11),
  column<Key>('expiresAt', 'EXPIRES', 11),
  column<Key>('lastUsedAt', 'LAST USED', 11),
];

const personColumns: Column[] = [
  { ...column<Person>('id', 'ID'), idOf: 'people' },
  column<Person>('name', 'NAME', 14),
  column<Person>('email', 'E-MAIL', 14),
  column<Person>('status', 'STATUS'),
  column<Person>('grants', 'GRANTS', 14),
  column<Person>('lastSignedInAt', 'SIGNED IN', 11),
];

const sessionColumns: Column[] = [
  { ...column<Session>('id', 'ID'), idOf: 'sessions' },
  column<Session>('owner.name', 'OWNER', 10),
  column<Session>('method', 'METHOD'),
  column<Session>('client', 'CLIENT', 14),
  column<Session>('createdAt', 'SIGNED IN', 11),
  column<Session>('lastUsedAt', 'LAST USED', 11),
];

const webhookColumns: Column[] = [
  { ...column<Webhook>('id', 'ID'), idOf: 'webhooks' },
  column<Webhook>('url', 'URL', 14),
  column<Webhook>('status', 'STATUS'),
  column<Webhook>('types', 'TYPES', 14),
  column<Webhook>('failingSince', 'FAILING SINCE', 11),
  column<Webhook>('readTo', 'READ TO'),
];

const recordOperations: readonly OperationName[] = [
  'list',
  'create',
  'get',
  'delete',
  'update',
  'deactivate',
  'reactivate',
  'restore',
  'bulk',
  'history',
  'blame',
  'revert',
];

export const resources: readonly Resource[] = [
  {
    name: 'offices',
    summary: 'List, create and change offices',
    operations: [...recordOperations, 'transfer-agents'],
    singular: 'office',
    nameField: 'name',
    columns: ({ expand }) => (expand === 'counts' ? [...officeColumns, ...countsOfOffice] : officeColumns),
  },
  {
    name: 'agents',
    summary: 'List, create and change agents',
    operations: [...recordOperations, 'transfer'],
    singular: 'agent',
    nameField: 'displayName',
    columns: ({ expand }) => [...agentColumns, expand === 'office' ? officeNameOfAgent : officeOfAgent],
  },
  {
    name: 'scheduled-changes',
    summary: 'List and cancel changes that happen at a time',
    operations: ['list', 'get', 'cancel'],
    singular: 'scheduled change',
    nameField: 'id',
    columns: () => scheduledChangeColumns,
  },
  {
    name: 'jobs',
    summary: 'See, cancel and undo changes of many records',
    operations: ['list', 'get', 'errors', 'cancel', 'undo'],
    singular: 'job',
    nameField: 'id',
    columns: () => jobColumns,
  },
  {
    name: 'events',
    summary: 'Read and follow the log of changes',
    operations: ['list', 'tail'],
    singular: 'event',
    nameField: 'position',
    columns: () => eventColumns,
  },
  {
    name: 'webhooks',
    summary: 'Create and manage webhooks, which receive events',
    operations: [
      'list',
      'create',
      'get',
      'delete',
      'update',
      'rotate',
      'test',
      'deliveries',
      'replay',
      'listen',
    ],
    singular: 'webhook',
    nameField: 'url',
    columns: () => webhookColumns,
  },
  {
    name: 'keys',
    summary: 'List, create and change keys',
    operations: ['list', 'create', 'get', 'update', 'revoke', 'rotate'],
    singular: 'key',
    nameField: 'name',
    columns: () => keyColumns,
  },
  {
    name: 'people',
    summary: 'Invite people and give them roles',
    operations: ['list', 'invite', 'get', 'delete', 'update', 'deactivate', 'reactivate', 'revoke-sessions'],
    singular: 'person',
    nameField: 'name',
    columns: () => personColumns,
  },
  {
    name: 'sessions',
    summary: 'List and end sessions',
    operations: ['list', 'current', 'get', 'revoke'],
    singular: 'session',
    nameField: 'id',
    columns: () => sessionColumns,
  },
  {
    name: 'stats',
    summary: 'Count offices and agents',
    operations: ['get'],
    singular: 'count',
    nameField: 'asOf',
    columns: () => [],
  },
];

/** The value of a field of a record by its path; undefined if there is none. */
export function valueAt(row: Row, field: string): unknown {
  return field.split('.').reduce<unknown>((value, name) => (value as Row | null | undefined)?.[name], row);
}

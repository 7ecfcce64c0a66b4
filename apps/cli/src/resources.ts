import type { Event, Key, ListedAgent, Office, Webhook } from '@roster/client';
import type { IdKind } from './context/short-ids.ts';

/** A record as the output sees it. */
export type Row = Readonly<Record<string, unknown>>;

/** The places in a record, with a dot between a field and its part: `address.city`. */
type Place<Value> = {
  [Name in keyof Value & string]: NonNullable<Value[Name]> extends readonly unknown[]
    ? Name
    : NonNullable<Value[Name]> extends object
      ? Name | `${Name}.${Place<NonNullable<Value[Name]>>}`
      : Name;
}[keyof Value & string];

/** One column of a list. */
export interface Column {
  /** Where the value is; the header in TSV. */
  place: string;
  /** The header in a table. */
  title: string;
  /** How narrow a table may make it, in cells; without it the column is shown whole or not at all. */
  widthMin?: number;
  /** Whose ids it holds, which a table shows short. */
  idOf?: IdKind | ((row: Row) => IdKind | undefined);
}

/** Verbs that take one record into another state, and are called with little more than its id. */
export type Transition = 'deactivate' | 'reactivate' | 'restore' | 'revoke' | 'rotate' | 'test' | 'replay';

export type Verb =
  | 'list'
  | 'create'
  | 'get'
  | 'delete'
  | 'update'
  | 'deliveries'
  | Transition
  | 'history'
  | 'revert'
  | 'tail'
  | 'listen';

/** What is one noun's own; everything else the commands have in common. */
export interface Noun {
  name: 'offices' | 'agents' | 'events' | 'webhooks' | 'keys';
  /** What it is for, in the help. */
  summary: string;
  verbs: readonly Verb[];
  singular: string;
  /** Where the name is that a person knows the record by. */
  namePlace: string;
  /** The columns of its list, the most important first: a narrow terminal leaves out the last ones. */
  columns: (options: { expand?: unknown }) => Column[];
}

/** A column of a list, at a place that its records have. */
export function column<Record>(place: Place<Record>, title: string, widthMin?: number): Column {
  return { place, title, ...(widthMin !== undefined && { widthMin }) };
}

const kindsOfEvents: Readonly<Record<string, IdKind>> = {
  office: 'offices',
  agent: 'agents',
  webhook: 'webhooks',
  key: 'keys',
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

const agentColumns: Column[] = [
  { ...column<ListedAgent>('id', 'ID'), idOf: 'agents' },
  column<ListedAgent>('displayName', 'NAME', 14),
  column<ListedAgent>('status', 'STATUS'),
  column<ListedAgent>('email', 'E-MAIL', 14),
  column<ListedAgent>('phone', 'PHONE', 10),
];
const officeOfAgent: Column = { ...column<ListedAgent>('officeId', 'OFFICE'), idOf: 'offices' };
const officeNameOfAgent = column<ListedAgent>('office.name', 'OFFICE', 10);

const eventColumns: Column[] = [
  column<Event>('position', 'POSITION'),
  column<Event>('occurredAt', 'TIME'),
  column<Event>('type', 'TYPE'),
  { ...column<Event>('subject', 'SUBJECT'), idOf: ({ type }) => kindOfType(String(type)) },
  column<Event>('version', 'VERSION'),
  column<Event>('actorId', 'ACTOR', 8),
  column<Event>('reason', 'REASON', 8),
];

const keyColumns: Column[] = [
  { ...column<Key>('id', 'ID'), idOf: 'keys' },
  column<Key>('name', 'NAME', 14),
  column<Key>('hint', 'SECRET'),
  column<Key>('scopes', 'SCOPES', 14),
  // At least the date of each time.
  column<Key>('revokedAt', 'REVOKED', 11),
  column<Key>('expiresAt', 'EXPIRES', 11),
  column<Key>('lastUsedAt', 'LAST USED', 11),
];

const webhookColumns: Column[] = [
  { ...column<Webhook>('id', 'ID'), idOf: 'webhooks' },
  column<Webhook>('url', 'URL', 14),
  column<Webhook>('status', 'STATUS'),
  column<Webhook>('types', 'TYPES', 14),
  column<Webhook>('failingSince', 'FAILING SINCE', 11),
  column<Webhook>('readTo', 'READ TO'),
];

const recordVerbs: readonly Verb[] = [
  'list',
  'create',
  'get',
  'delete',
  'update',
  'deactivate',
  'reactivate',
  'restore',
  'history',
  'revert',
];

export const nouns: readonly Noun[] = [
  {
    name: 'offices',
    summary: 'List, create and change offices',
    verbs: recordVerbs,
    singular: 'office',
    namePlace: 'name',
    columns: () => officeColumns,
  },
  {
    name: 'agents',
    summary: 'List, create and change agents',
    verbs: recordVerbs,
    singular: 'agent',
    namePlace: 'displayName',
    columns: ({ expand }) => [...agentColumns, expand === 'office' ? officeNameOfAgent : officeOfAgent],
  },
  {
    name: 'events',
    summary: 'Read and follow the log of changes',
    verbs: ['list', 'tail'],
    singular: 'event',
    namePlace: 'position',
    columns: () => eventColumns,
  },
  {
    name: 'webhooks',
    summary: 'Make and look after webhooks, which are told of events',
    verbs: ['list', 'create', 'get', 'delete', 'update', 'rotate', 'test', 'deliveries', 'replay', 'listen'],
    singular: 'webhook',
    namePlace: 'url',
    columns: () => webhookColumns,
  },
  {
    name: 'keys',
    summary: 'List, create and change keys',
    verbs: ['list', 'create', 'get', 'update', 'revoke', 'rotate'],
    singular: 'key',
    namePlace: 'name',
    columns: () => keyColumns,
  },
];

/** The value at a place of a record; undefined where there is none. */
export function valueAt(row: Row, place: string): unknown {
  return place.split('.').reduce<unknown>((value, name) => (value as Row | null | undefined)?.[name], row);
}

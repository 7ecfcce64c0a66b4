import type { ResourceName } from '@roster/client';
import { operations } from '@roster/contract/operations';
import { records } from '@roster/contract/records';
import { createImportable, type Importable, importableNames } from '@roster/import';
import {
  type Column,
  deletedRecordColumns,
  eventColumns,
  importColumns,
  invitationColumns,
  jobColumns,
  keyColumns,
  passkeyColumns,
  personColumns,
  recordColumns,
  scheduledChangeColumns,
  sessionColumns,
  viewColumns,
  webhookColumns,
} from './columns.ts';
import { kebab } from './contract/fields.ts';

/** Operations on one record that take little more than its id. */
type RecordAction =
  | 'deactivate'
  | 'reactivate'
  | 'restore'
  | 'revoke'
  | 'rotate'
  | 'test'
  | 'replay'
  | 'cancel'
  | 'revoke-sessions'
  | 'dismiss-duplicate'
  | 'reopen-duplicate'
  | 'unmerge';

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
  | 'rows'
  | 'errors'
  | 'duplicates'
  | 'check-duplicates'
  | 'merge-duplicates'
  | 'write'
  | 'merge'
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
    | ResourceName
    | 'deleted-records'
    | 'scheduled-changes'
    | 'imports'
    | 'jobs'
    | 'events'
    | 'webhooks'
    | 'keys'
    | 'people'
    | 'invitations'
    | 'passkeys'
    | 'sessions'
    | 'views'
    | 'stats'
    | 'status';
  /** The summary in the help. */
  summary: string;
  /** Also those that no other resource has, which are operations on one record. */
  operations: readonly string[];
  singular: string;
  /** The field with the name by which people know the record. */
  nameField: string;
  /** The columns of its list, the most important first: a narrow terminal omits the last ones. */
  columns: (options: { expand?: unknown }) => Column[];
}

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
  'duplicates',
  'check-duplicates',
  'merge-duplicates',
  'dismiss-duplicate',
  'reopen-duplicate',
  'merge',
  'unmerge',
];

/** The procedures of a resource that have a command, with its name. A preview is `--dry-run` of the command for what it previews. */
export function ownCommands(name: string): { procedure: string; word: string }[] {
  return Object.keys(operations)
    .filter((procedure) => procedure.startsWith(`${name}.`))
    .map((procedure) => ({ procedure, word: kebab(procedure.slice(name.length + 1)) }))
    .filter(({ word }) => !word.startsWith('preview-'));
}

/** A resource of the directory: what all have, and the other operations that the contract has. */
function directoryResource(name: ResourceName): Resource {
  const { singular, nameField } = records[name];
  const shared = new Set<string>(recordOperations);
  const special = ownCommands(name)
    .map(({ word }) => word)
    .filter((word) => !shared.has(word));
  return {
    name,
    summary: `List, create and change ${name}`,
    operations: [...recordOperations, ...special],
    singular,
    nameField,
    columns: ({ expand }) => recordColumns(name, expand),
  };
}

export const resources: readonly Resource[] = [
  ...(Object.keys(records) as ResourceName[]).map(directoryResource),
  {
    name: 'deleted-records',
    summary: 'List what can be restored',
    operations: ['list'],
    singular: 'deleted record',
    nameField: 'id',
    columns: () => deletedRecordColumns,
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
    name: 'imports',
    summary: 'See, write, cancel and undo imports of files',
    operations: ['list', 'get', 'rows', 'errors', 'write', 'cancel', 'undo'],
    singular: 'import',
    nameField: 'id',
    columns: () => importColumns,
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
    name: 'invitations',
    summary: 'Make and revoke links with which people sign in for the first time',
    operations: ['list', 'create', 'get', 'revoke'],
    singular: 'invitation',
    nameField: 'person.name',
    columns: () => invitationColumns,
  },
  {
    name: 'passkeys',
    summary: 'List, rename and remove passkeys, with which people sign in',
    operations: ['list', 'update', 'delete'],
    singular: 'passkey',
    nameField: 'name',
    columns: () => passkeyColumns,
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
    name: 'views',
    summary: 'Save and share views of lists',
    operations: ['list', 'create', 'get', 'delete', 'update'],
    singular: 'view',
    nameField: 'name',
    columns: () => viewColumns,
  },
  {
    name: 'stats',
    summary: `Count ${new Intl.ListFormat('en-GB').format(Object.keys(records))}`,
    operations: ['get'],
    singular: 'count',
    nameField: 'asOf',
    columns: () => [],
  },
  {
    name: 'status',
    summary: 'Show which service and key are used, and how the service is',
    operations: ['get'],
    singular: 'status',
    nameField: 'asOf',
    columns: () => [],
  },
];

/** The resources that can be imported and exported. */
export const importables: readonly Importable[] = importableNames.map(createImportable);

/** Looks up an importable resource; undefined if it cannot be imported. */
export function importableOf({ name }: Pick<Resource, 'name'>): Importable | undefined {
  return importables.find((importable) => importable.name === name);
}

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
import { keysOf } from '@roster/fields/objects';
import { createImportable, type Importable } from '@roster/import';
import { type Column, columnsOf, recordColumns } from './columns.ts';
import { camelCase, kebab } from './fields.ts';

export interface Resource {
  name: string;
  summary: string;
  operations: readonly string[];
  singular: string;
  /** The field with the name by which people know the record. */
  nameField: string;
  /** The columns of its list, the most important first: a narrow terminal omits the last ones. */
  columns: (options: { expand?: unknown }) => Column[];
}

/** The operations without a command of their own: a preview is `--dry-run` of what it previews, and `import` sends files. */
const isUsedByOthers = (word: string) => /^(?:preview|upload)/.test(word) || word in records;

function ownCommands(name: string): string[] {
  const prefix = `${camelCase(name)}.`;
  const own = Object.keys(operations).filter((procedure) => procedure.startsWith(prefix));
  return own
    .map((procedure) => kebab(procedure.slice(prefix.length)))
    .filter((word) => !isUsedByOthers(word));
}

/** A resource with the commands of its operations, and those that are no operations. */
function withOperations(resource: Omit<Resource, 'operations'>, commands: readonly string[] = []): Resource {
  return { ...resource, operations: [...ownCommands(resource.name), ...commands] };
}

function directoryResource(name: ResourceName): Resource {
  const { singular, nameField } = records[name];
  const columns: Resource['columns'] = ({ expand }) => recordColumns(name, expand);
  return withOperations({ name, summary: `List, create and change ${name}`, singular, nameField, columns });
}

/** A resource beside the directory: its differences from what follows from its name and the contract. */
interface OtherResource {
  summary: string;
  singular?: string;
  nameField?: string;
  columns?: Column[];
  commands?: readonly string[];
}

const otherResources: Readonly<Record<string, OtherResource>> = {
  'deleted-records': {
    summary: 'List deleted records that can be restored',
    columns: columnsOf<DeletedRecord>([
      'id',
      'resource',
      'record.email',
      'deletedAt',
      'restorableUntil',
      'actor.name',
      'reason',
    ]),
  },
  'scheduled-changes': {
    summary: 'List and cancel scheduled changes',
    columns: columnsOf<ScheduledChange>([
      'id',
      'effectiveAt',
      'change',
      'subject',
      'officeId',
      'status',
      'errorCode',
      'reason',
    ]),
  },
  imports: {
    summary: 'List, write, resume, cancel and undo imports',
    columns: columnsOf<Import>(['id', 'status', 'step', 'resource', 'name', 'total', 'errors', 'createdAt']),
  },
  jobs: {
    summary: 'List, cancel and undo bulk changes',
    columns: columnsOf<Job>([
      'id',
      'status',
      'resource',
      'total',
      'changed',
      'rejected',
      'createdAt',
      'undoes',
    ]),
  },
  events: {
    summary: 'Read and follow the log of changes',
    nameField: 'position',
    columns: columnsOf<Event>(['position', 'occurredAt', 'type', 'subject', 'version', 'actorId', 'reason']),
    commands: ['tail'],
  },
  webhooks: {
    summary: 'Create and manage webhooks',
    nameField: 'url',
    columns: columnsOf<Webhook>(['id', 'url', 'status', 'types', 'failingSince', 'readTo']),
    commands: ['listen'],
  },
  keys: {
    summary: 'Create and manage API keys',
    nameField: 'name',
    columns: columnsOf<Key>(['id', 'name', 'hint', 'scopes', 'revokedAt', 'expiresAt', 'lastUsedAt']),
  },
  people: {
    summary: 'Invite people and give them roles',
    singular: 'person',
    nameField: 'name',
    columns: columnsOf<Person>(['id', 'name', 'email', 'status', 'signInWay', 'grants', 'lastSignedInAt']),
  },
  invitations: {
    summary: 'Create and revoke sign-in links for new people',
    nameField: 'person.name',
    columns: columnsOf<Invitation>([
      'id',
      'person.name',
      'createdAt',
      'expiresAt',
      'acceptedAt',
      'revokedAt',
      'mail.to',
    ]),
  },
  passkeys: {
    summary: 'List, rename and remove passkeys',
    nameField: 'name',
    columns: columnsOf<Passkey>(['id', 'name', 'isSynced', 'createdAt', 'lastUsedAt']),
  },
  sessions: {
    summary: 'List and end sessions',
    columns: columnsOf<Session>(['id', 'owner.name', 'method', 'client', 'createdAt', 'lastUsedAt']),
  },
  views: {
    summary: 'Save and share views of lists',
    nameField: 'name',
    columns: columnsOf<View>(['id', 'name', 'resource', 'isShared', 'createdBy.name', 'updatedAt']),
  },
  settings: {
    summary: 'Read and change the settings of the directory',
    singular: 'settings',
  },
  stats: {
    summary: `Count ${new Intl.ListFormat('en-GB').format(Object.keys(records))}`,
    singular: 'count',
    nameField: 'asOf',
  },
};

function otherResource([name, own]: [string, OtherResource]): Resource {
  const singular = name.replace('-', ' ').replace(/s$/, '');
  const { summary, nameField = 'id', columns = [], commands } = own;
  const resource = { name, summary, singular: own.singular ?? singular, nameField, columns: () => columns };
  return withOperations(resource, commands);
}

export const resources: readonly Resource[] = [
  ...keysOf(records).map(directoryResource),
  ...Object.entries(otherResources).map(otherResource),
];

export const importables: readonly Importable<ResourceName>[] = keysOf(records).map((name) =>
  createImportable(name, records),
);

export function importableOf({ name }: Pick<Resource, 'name'>): Importable<ResourceName> | undefined {
  return importables.find((importable) => importable.name === name);
}

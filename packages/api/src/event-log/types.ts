import { z } from 'zod';
import { readableNames, type Scope, scopesOfAll } from '../access/scopes.ts';
import {
  type Directory,
  definitions,
  forEachResource,
  type ResourceName,
  resourceNames,
} from '../directory.ts';

/** The changes of keys, webhooks, people, their invitations, passkeys and sessions that are events. */
export const keyVerbs = ['created', 'updated', 'rotated', 'revoked'] as const;
export const webhookVerbs = ['created', 'updated', 'rotated', 'replayed', 'deleted'] as const;
export const personVerbs = ['invited', 'updated', 'deactivated', 'reactivated', 'deleted'] as const;
const invitationVerbs = ['created', 'revoked', 'accepted'] as const;
const passkeyVerbs = ['created', 'updated', 'deleted'] as const;
const sessionVerbs = ['created', 'ended'] as const;

const typesOf = <Resource extends string, Verb extends string>(resource: Resource, verbs: readonly Verb[]) =>
  verbs.map((verb) => `${resource}.${verb}` as const);

/** The types of the events of each resource. */
export type RecordTypes = {
  [Name in ResourceName]: `${Directory[Name]['table']}.${Directory[Name]['eventVerbs'][number]}`[];
};
export const recordTypes = forEachResource<RecordTypes>(({ table, eventVerbs }) =>
  typesOf(table, eventVerbs),
);
const allRecordTypes = Object.values(recordTypes).flat();
export const keyTypes = typesOf('key', keyVerbs);
export const webhookTypes = typesOf('webhook', webhookVerbs);
export const personTypes = typesOf('person', personVerbs);
export const invitationTypes = typesOf('invitation', invitationVerbs);
export const passkeyTypes = typesOf('passkey', passkeyVerbs);
export const sessionTypes = typesOf('session', sessionVerbs);
/** Rights that a caller was denied, and sign-ins that failed. */
export const accessTypes = ['access.denied'] as const;
const adminTypes = [
  ...keyTypes,
  ...webhookTypes,
  ...personTypes,
  ...invitationTypes,
  ...passkeyTypes,
  ...sessionTypes,
  ...accessTypes,
] as const;
export type AdminEventType = (typeof adminTypes)[number];

/** The advice to readers about types that come later. */
export const MORE_TYPES = 'More types may be added: ignore those that you do not know.';

export const RecordEventType = z.enum(allRecordTypes).meta({
  id: 'RecordEventType',
  description: `What happened, to ${definitions.map(({ texts }) => texts.one).join(' or ')}. ${MORE_TYPES}`,
  example: 'agent.updated',
});
export type RecordEventType = z.infer<typeof RecordEventType>;

export const EventType = z.enum([...allRecordTypes, ...adminTypes]).meta({
  id: 'EventType',
  description: `What happened, to which resource. ${MORE_TYPES}`,
  example: 'agent.updated',
});
export type EventType = z.infer<typeof EventType>;

const scopes: Record<string, Scope> = {
  ...Object.fromEntries(definitions.map(({ table, name }) => [table, `${name}:read` as const])),
  key: 'keys:manage',
  webhook: 'webhooks:manage',
  person: 'people:manage',
  invitation: 'people:manage',
  passkey: 'people:manage',
  session: 'people:manage',
  access: 'people:manage',
};

/** The scopes that events of these types need in addition to `events:read`; without types, those that all resources together need. */
export function readScopesOf(types: readonly EventType[] | undefined): Scope[] {
  if (types === undefined) return scopesOfAll('read');
  const needed = types.map((type) => scopes[type.split('.')[0] ?? '']);
  return [...new Set(needed.filter((scope) => scope !== undefined))];
}

/** The types of events that a caller gets who may ask for these; without types, those of the records that the caller may read. */
export function readableTypes<Type extends EventType>(
  caller: { scopes: readonly Scope[] },
  types: Type[] | undefined,
): (Type | RecordEventType)[] | undefined {
  if (types !== undefined) return types;
  const names = readableNames(caller);
  if (names.length === resourceNames.length) return undefined;
  return names.flatMap((name): RecordEventType[] => recordTypes[name]);
}

const knownTypes: ReadonlySet<string> = new Set(EventType.options);

/**
 * Whether this release knows the type of an event. A later one may have written others, before the servers were replaced by those of
 * this one again: readers get none of them.
 */
export function isKnownType({ type }: { type: string }): boolean {
  return knownTypes.has(type);
}

/** Whether an event type is not about records: such events have their own table. */
export function isAdminType(type: EventType): boolean {
  return adminTypes.some((one) => one === type);
}

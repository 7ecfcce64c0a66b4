import { z } from 'zod';
import { readScopes, type Scope } from '../access/scopes.ts';
import { type Directory, definitions, forEachResource, type ResourceName } from '../directory/registry.ts';

const adminVerbs = {
  key: ['created', 'updated', 'rotated', 'revoked'],
  webhook: ['created', 'updated', 'rotated', 'replayed', 'deleted'],
  person: ['invited', 'updated', 'deactivated', 'reactivated', 'deleted'],
  invitation: ['created', 'revoked', 'accepted'],
  passkey: ['created', 'updated', 'deleted'],
  session: ['created', 'ended'],
  access: ['denied'],
} as const;
type AdminVerbs = typeof adminVerbs;
export type AdminVerb<Kind extends keyof AdminVerbs> = AdminVerbs[Kind][number];

const typesOf = <Resource extends string, Verb extends string>(resource: Resource, verbs: readonly Verb[]) =>
  verbs.map((verb) => `${resource}.${verb}` as const);

export type RecordTypes = {
  [Name in ResourceName]: `${Directory[Name]['table']}.${Directory[Name]['eventVerbs'][number]}`[];
};
export const recordTypes = forEachResource<RecordTypes>(({ table, eventVerbs }) =>
  typesOf(table, eventVerbs),
);
const allRecordTypes = Object.values(recordTypes).flat();
export const adminTypes = Object.fromEntries(
  Object.entries(adminVerbs).map(([kind, verbs]) => [kind, typesOf(kind, verbs)]),
) as { [Kind in keyof AdminVerbs]: `${Kind}.${AdminVerb<Kind>}`[] };
const allAdminTypes = Object.values(adminTypes).flat();
export type AdminEventType = (typeof allAdminTypes)[number];

export const MORE_TYPES = 'More types may be added; ignore unknown types.';

export const RecordEventType = z.enum(allRecordTypes).meta({
  id: 'RecordEventType',
  description: `Type of event, for ${definitions.map(({ texts }) => texts.one).join(' or ')}. ${MORE_TYPES}`,
  example: 'agent.updated',
});
export type RecordEventType = z.infer<typeof RecordEventType>;

export const EventType = z.enum([...allRecordTypes, ...allAdminTypes]).meta({
  id: 'EventType',
  description: `Type of event, with its resource. ${MORE_TYPES}`,
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

/** In addition to `events:read`; without types, those of all records. */
export function readScopesOf(types: readonly EventType[] | undefined): Scope[] {
  if (types === undefined) return readScopes;
  const needed = types.map((type) => scopes[type.split('.')[0] ?? '']);
  return [...new Set(needed.filter((scope) => scope !== undefined))];
}

const knownTypes: ReadonlySet<string> = new Set(EventType.options);

/** Readers get no types of later releases. */
export function isKnownType({ type }: { type: string }): boolean {
  return knownTypes.has(type);
}

/** These events have their own table. */
export function isAdminType(type: EventType): boolean {
  return allAdminTypes.some((one) => one === type);
}

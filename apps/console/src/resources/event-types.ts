import type { Event, EventType, RecordEventType, Scope } from '@roster/client';
import { isObject, type Members } from '@roster/fields/objects';
import type { Rights } from '../api/caller.ts';
import { contracts, type ResourceName, resourceNames } from '../api/contract/contracts.ts';
import type { FieldContract } from '../api/contract/types.ts';
import { resourceOfEvent, resources } from './index.ts';

const others: readonly { kind: string; scope: Scope; verbs: readonly string[] }[] = [
  { kind: 'key', scope: 'keys:manage', verbs: ['created', 'updated', 'rotated', 'revoked'] },
  {
    kind: 'webhook',
    scope: 'webhooks:manage',
    verbs: ['created', 'updated', 'rotated', 'replayed', 'deleted'],
  },
  {
    kind: 'person',
    scope: 'people:manage',
    verbs: ['invited', 'updated', 'deactivated', 'reactivated', 'deleted'],
  },
  { kind: 'invitation', scope: 'people:manage', verbs: ['created', 'revoked', 'accepted'] },
  { kind: 'passkey', scope: 'people:manage', verbs: ['created', 'updated', 'deleted'] },
  { kind: 'session', scope: 'people:manage', verbs: ['created', 'ended'] },
];

const typesOf = (kind: string, verbs: readonly string[]) =>
  verbs.map((verb) => `${kind}.${verb}` as EventType);

export function eventTypesOf(resource: ResourceName): readonly RecordEventType[] {
  const verbs = Object.keys(resources[resource].eventLabels);
  return typesOf(contracts[resource].singular, verbs) as RecordEventType[];
}

export const recordEventTypes: readonly RecordEventType[] = resourceNames.flatMap(eventTypesOf);

/** The events that the caller may follow: those of records, and of the rest if no limit of offices holds. */
export function followableTypes({ can, canEverywhere }: Rights): EventType[] {
  return [
    ...resourceNames.filter((name) => can(`${name}:read`)).flatMap(eventTypesOf),
    ...others.filter(({ scope }) => canEverywhere(scope)).flatMap(({ kind, verbs }) => typesOf(kind, verbs)),
  ];
}

function idsIn(fields: readonly FieldContract[], resource: ResourceName, values: Members): string[] {
  return fields.flatMap(({ name, refersTo, parts = [] }) => {
    const items = [values[name]].flat();
    if (refersTo === resource) return items.filter((item) => typeof item === 'string');
    return items.filter(isObject).flatMap((item) => idsIn(parts, resource, item));
  });
}

/** The records of a resource that the record of an event refers to, or did before, such as the old and the new office of an agent. */
export function referredIds(
  resource: ResourceName,
  { type, record, previous }: Pick<Event, 'type' | 'record' | 'previous'>,
): string[] {
  const from = resourceOfEvent(type);
  if (from === undefined) return [];
  const { fields } = contracts[from];
  const states = [record, previous].filter(isObject);
  return [...new Set(states.flatMap((values) => idsIn(fields, resource, values)))];
}

import type { Event, EventType, RecordEventType, Scope } from '@roster/client';
import { isObject, type Members } from '@roster/fields/objects';
import type { Rights } from '../api/caller.ts';
import { contracts, type ResourceName, resourceNames } from '../api/contract/contracts.ts';
import type { FieldContract } from '../api/contract/types.ts';
import { resourceOfEvent, resources } from './index.ts';

const others: readonly { scope: Scope; types: readonly EventType[] }[] = [
  { scope: 'keys:manage', types: ['key.created', 'key.updated', 'key.rotated', 'key.revoked'] },
  {
    scope: 'webhooks:manage',
    types: ['webhook.created', 'webhook.updated', 'webhook.rotated', 'webhook.replayed', 'webhook.deleted'],
  },
  {
    scope: 'people:manage',
    types: [
      'person.invited',
      'person.updated',
      'person.deactivated',
      'person.reactivated',
      'person.deleted',
      'invitation.created',
      'invitation.revoked',
      'invitation.accepted',
      'passkey.created',
      'passkey.updated',
      'passkey.deleted',
      'session.created',
      'session.ended',
    ],
  },
];

export function eventTypesOf(resource: ResourceName): readonly RecordEventType[] {
  const verbs = Object.keys(resources[resource].eventLabels);
  return verbs.map((verb) => `${contracts[resource].singular}.${verb}` as RecordEventType);
}

export const recordEventTypes: readonly RecordEventType[] = resourceNames.flatMap(eventTypesOf);

/** The events that the caller may follow: those of records, and of the rest if no limit of offices holds. */
export function followableTypes({ can, canEverywhere }: Rights): EventType[] {
  return [
    ...resourceNames.filter((name) => can(`${name}:read`)).flatMap(eventTypesOf),
    ...others.filter(({ scope }) => canEverywhere(scope)).flatMap(({ types }) => types),
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

/** The name of the subject of an event, as it was after it: of a record, a key, a person or a webhook. */
export function subjectName({ record }: Pick<Event, 'record'>): string | undefined {
  const { displayName, name, email, url } = (record ?? {}) as Readonly<Record<string, unknown>>;
  return [displayName, name, email, url].find((one) => typeof one === 'string') as string | undefined;
}

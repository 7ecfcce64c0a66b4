import type { EventType, Scope } from '@roster/client';
import type { Rights } from './caller.ts';

type Kind = 'office' | 'agent' | 'key' | 'webhook' | 'person' | 'session';

const ofEvery = ['created', 'updated', 'deactivated', 'reactivated', 'deleted', 'restored', 'purged'];
const ofRecords = [...ofEvery, 'license_expiring', 'change_failed'];

/** What may happen to each kind of resource. */
const verbs: Record<Kind, readonly string[]> = {
  office: ofRecords,
  agent: [...ofRecords, 'transferred'],
  key: ['created', 'updated', 'rotated', 'revoked'],
  webhook: ['created', 'updated', 'rotated', 'replayed', 'deleted'],
  person: ['invited', 'updated', 'deactivated', 'reactivated', 'deleted', 'link_created'],
  session: ['created', 'ended'],
};

/** The scope that reads the events of each kind. */
const scopes: Record<Kind, Scope> = {
  office: 'offices:read',
  agent: 'agents:read',
  key: 'keys:manage',
  webhook: 'webhooks:manage',
  person: 'people:manage',
  session: 'people:manage',
};

const isOfRecords = (kind: Kind) => kind === 'office' || kind === 'agent';

function typesOf(kind: Kind): EventType[] {
  return verbs[kind].map((verb) => `${kind}.${verb}` as EventType);
}

/** The events that a webhook may receive. */
export const recordEventTypes: readonly EventType[] = [...typesOf('office'), ...typesOf('agent')];

/** The events that the caller may follow: those of records, and of the rest if no limit of offices holds. */
export function followableTypes({ can, canEverywhere }: Rights): EventType[] {
  const kinds = Object.keys(verbs) as Kind[];
  return kinds
    .filter((kind) => (isOfRecords(kind) ? can(scopes[kind]) : canEverywhere(scopes[kind])))
    .flatMap(typesOf);
}

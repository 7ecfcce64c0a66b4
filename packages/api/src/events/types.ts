import { z } from 'zod';
import type { Scope } from '../api-keys/scopes.ts';
import { eventVerbs } from '../resources/write/event-outbox.ts';

/** What can happen to a key, and to a webhook. */
export const keyVerbs = ['created', 'updated', 'rotated', 'revoked'] as const;
export const webhookVerbs = ['created', 'updated', 'rotated', 'replayed', 'deleted'] as const;

const typesOf = <Resource extends string, Verb extends string>(resource: Resource, verbs: readonly Verb[]) =>
  verbs.map((verb) => `${resource}.${verb}` as const);

export const officeTypes = typesOf('office', eventVerbs);
export const agentTypes = typesOf('agent', eventVerbs);
export const keyTypes = typesOf('key', keyVerbs);
export const webhookTypes = typesOf('webhook', webhookVerbs);

/** What happened, to an office or an agent. */
export const RecordEventType = z.enum([...officeTypes, ...agentTypes]).meta({
  id: 'RecordEventType',
  description: 'What happened, to an office or an agent',
  example: 'agent.updated',
});
export type RecordEventType = z.infer<typeof RecordEventType>;

/** What happened, to which resource. */
export const EventType = z.enum([...officeTypes, ...agentTypes, ...keyTypes, ...webhookTypes]).meta({
  id: 'EventType',
  description: 'What happened, to which resource',
  example: 'agent.updated',
});
export type EventType = z.infer<typeof EventType>;

const scopes: Record<string, Scope> = {
  office: 'offices:read',
  agent: 'agents:read',
  key: 'keys:manage',
  webhook: 'webhooks:manage',
};

/** The scopes that events of these types need beside the one for reading events; those of all records unless given. */
export function readScopesOf(types: readonly EventType[] | null | undefined): Scope[] {
  const needed = (types ?? RecordEventType.options).map((type) => scopes[type.split('.')[0] ?? '']);
  return [...new Set(needed.filter((scope) => scope !== undefined))];
}

/** Whether a type is one of keys or webhooks, whose events are in a table of their own. */
export function isAdminType(type: EventType): boolean {
  return type.startsWith('key.') || type.startsWith('webhook.');
}

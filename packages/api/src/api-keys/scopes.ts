import { z } from 'zod';

export const Scope = z
  .enum([
    'offices:read',
    'offices:write',
    'agents:read',
    'agents:write',
    'events:read',
    'webhooks:manage',
    'keys:manage',
  ])
  .meta({ id: 'Scope', description: 'A permission of a key', example: 'offices:read' });
export type Scope = z.infer<typeof Scope>;
export const scopes: readonly Scope[] = Scope.options;

/** Whether a scope allows reading records, which replicas can serve; events, keys and webhooks are read from the primary. */
export function readsRecords(scope: Scope): boolean {
  return scope === 'offices:read' || scope === 'agents:read';
}

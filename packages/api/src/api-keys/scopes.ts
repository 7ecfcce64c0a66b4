import { z } from 'zod';

/** What a key may be allowed to do. */
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
  .meta({ id: 'Scope', description: 'What a key may do', example: 'offices:read' });
export type Scope = z.infer<typeof Scope>;
export const scopes: readonly Scope[] = Scope.options;

/** Whether what a scope allows is to read records, which a replica may do; the log, keys and webhooks are the primary's. */
export function readsRecords(scope: Scope): boolean {
  return scope === 'offices:read' || scope === 'agents:read';
}

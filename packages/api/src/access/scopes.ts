import { z } from 'zod';
import { type ResourceName, resourceNames } from '../directory/registry.ts';
import { RosterError } from '../errors/roster-error.ts';

type RecordScope = `${ResourceName}:${'read' | 'write'}`;

type ScopesOf<Verb extends 'read' | 'write'> = [`${ResourceName}:${Verb}`, ...`${ResourceName}:${Verb}`[]];

export const readScopes = resourceNames.map((name) => `${name}:read`) as ScopesOf<'read'>;
export const writeScopes = resourceNames.map((name) => `${name}:write`) as ScopesOf<'write'>;
const recordScopes = resourceNames.flatMap((name): RecordScope[] => [`${name}:read`, `${name}:write`]);

export const Scope = z
  .enum([...recordScopes, 'events:read', 'webhooks:manage', 'keys:manage', 'people:manage'])
  .meta({
    id: 'Scope',
    description: 'A permission of a key. More scopes may be added.',
    example: 'offices:read',
  });
export type Scope = z.infer<typeof Scope>;
export const scopes: readonly Scope[] = Scope.options;

interface ScopeHolder {
  scopes: readonly Scope[];
}

/** All that the scopes allow by default. Throws `insufficient_scope` for others. */
export function chooseNames(
  holder: ScopeHolder,
  named: readonly ResourceName[] | undefined,
  verb: 'read' | 'write',
): ResourceName[] {
  if (named === undefined) return resourceNames.filter((name) => holder.scopes.includes(`${name}:${verb}`));
  checkScopes(
    holder,
    named.map((name) => `${name}:${verb}` as const),
  );
  return [...named];
}

/** Throws `insufficient_scope`, listing all missing scopes. */
export function checkScopes({ scopes }: ScopeHolder, needed: readonly Scope[]): void {
  const missing = [...new Set(needed)].filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return;
  const names = missing.length === 1 ? `scope ${missing[0]}` : `scopes ${missing.join(' and ')}`;
  throw new RosterError('insufficient_scope', `The key needs the ${names}.`, { scope: missing.join(' ') });
}

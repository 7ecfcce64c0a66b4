import type { CurrentCaller, Role, Scope } from '@roster/client';
import { useSuspenseQuery } from '@tanstack/react-query';
import { rosterQuery } from './client.ts';

/** The query of the person or key that is signed in, with their rights. */
export const callerQuery = { ...rosterQuery('sessions', 'current', {}), staleTime: 60_000 };

const managers: readonly (Role | null)[] = ['manager', 'admin', null];

/** The rights of a caller, by which the page offers actions. The service decides again at every call. */
export interface Rights {
  caller: CurrentCaller;
  /** Whether any grant has this scope. */
  can(scope: Scope): boolean;
  /** Whether any grant with this scope is of a manager, an administrator or a key: imports, bulk changes, schedules. */
  canManage(scope: Scope): boolean;
  /** Whether a grant with this scope has no limit of offices. */
  canEverywhere(scope: Scope): boolean;
  /** Whether the caller may cancel scheduled changes, which are all under the same scopes. */
  canCancelScheduled: boolean;
}

export function rightsOf(caller: CurrentCaller): Rights {
  const grantsOf = (scope: Scope) => caller.grants.filter(({ scopes }) => scopes.includes(scope));
  const can = (scope: Scope) => grantsOf(scope).length > 0;
  const canManage = (scope: Scope) => grantsOf(scope).some(({ role }) => managers.includes(role));
  return {
    caller,
    can,
    canManage,
    canCancelScheduled: canManage('agents:write') && can('offices:write'),
    canEverywhere: (scope) => grantsOf(scope).some(({ officeIds }) => officeIds === null),
  };
}

/** The rights of who is signed in. */
export function useRights(): Rights {
  const { data } = useSuspenseQuery(callerQuery);
  return rightsOf(data);
}

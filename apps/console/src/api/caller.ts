import type { CurrentCaller, Role, Scope } from '@roster/client';
import { useSuspenseQuery } from '@tanstack/react-query';
import { rosterQuery } from './client.ts';

export const callerQuery = { ...rosterQuery('sessions', 'current', {}), staleTime: 60_000 };

const managers: readonly (Role | null)[] = ['manager', 'admin', null];

/** The rights of a caller, by which the page offers actions. The service checks them again at every call. */
export interface Rights {
  caller: CurrentCaller;
  can(scope: Scope): boolean;
  /** Whether any grant with this scope is of a manager, an administrator or a key: imports, bulk changes, schedules. */
  canManage(scope: Scope): boolean;
  /** Whether a grant with this scope has no limit of offices. */
  canEverywhere(scope: Scope): boolean;
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

export function useRights(): Rights {
  const { data } = useSuspenseQuery(callerQuery);
  return rightsOf(data);
}

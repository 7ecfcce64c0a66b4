import { type ResourceName, resourceNames, type Service } from './service.ts';

/** The part of the answer of `sessions.current` that is used here. */
interface CurrentCaller {
  scopes: readonly string[];
  grants: readonly { role: string | null; scopes: readonly string[] }[];
}

/** The rights of the caller. They decide which tools are listed; each procedure decides again when it is called. */
export interface Rights {
  /** Whether the caller has all of these scopes. */
  has(...scopes: string[]): boolean;
  /** The resources of which the caller has a scope: `read`, `write`. */
  resources(...verbs: ('read' | 'write')[]): ResourceName[];
  /** Whether imports and changes of many records are allowed, which the dry runs of the service belong to. */
  mayManage(resource: ResourceName): boolean;
}

/** The roles of people that import and change many records; keys need only the scope. */
const managingRoles: readonly (string | null)[] = [null, 'manager', 'admin'];

/** Reads what the caller may do. */
export async function readRights(service: Service, signal: AbortSignal): Promise<Rights> {
  const { scopes, grants } = (await service.query('sessions.current', {}, { signal })) as CurrentCaller;
  const granted = new Set(scopes);
  const has = (...needed: string[]) => needed.every((scope) => granted.has(scope));
  return {
    has,
    resources: (...verbs) =>
      resourceNames.filter((resource) => has(...verbs.map((verb) => `${resource}:${verb}`))),
    mayManage: (resource) =>
      grants.some(({ role, scopes }) => managingRoles.includes(role) && scopes.includes(`${resource}:write`)),
  };
}

import { records } from '@roster/contract/records';
import type { Field } from '@roster/fields';
import { checkNewRecord } from '@roster/fields/check';
import { pointerTo } from '@roster/fields/json-pointer';
import { keysOf } from '@roster/fields/objects';

/** The input is not validated yet. */
export type Call = <Output = unknown>(
  procedure: string,
  input: object,
  options: { signal: AbortSignal },
) => Promise<Output>;

/** The procedures, in this process or over the wire. */
export interface Service {
  query: Call;
  mutate: Call;
  problemOf(error: unknown): Problem | undefined;
}

/** The members of a problem document that help a client to continue. */
export interface Problem {
  code: string;
  detail: string;
  status?: number | undefined;
  requestId?: string | undefined;
  errors?: readonly { pointer?: string | undefined; code: string; detail: string }[] | undefined;
  errorsOmitted?: number | undefined;
  currentVersion?: number | undefined;
  mergedInto?: string | undefined;
  dependents?: Readonly<Record<string, number>> | undefined;
  retryAfterSeconds?: number | undefined;
}

export class ToolError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'ToolError';
    this.problem = problem;
  }
}

export function invalidInput(faults: readonly { path: readonly string[]; code: string; detail: string }[]) {
  const errors = faults.map(({ path, code, detail }) => ({ pointer: pointerTo(path), code, detail }));
  const [first, second, third, ...more] = faults.map(({ path, detail }) => `${path.join('.')} ${detail}`);
  const rest = more.length > 0 ? `and ${more.length} more` : undefined;
  const detail = `${[first, second, third, rest].filter((text) => text !== undefined).join('; ')}.`;
  return new ToolError({ code: 'validation_failed', status: 422, detail, errors });
}

/** Throws `validation_failed`, also if none of `nameParts` is set. Doesn't check other rules between fields or records. */
export function requireValid(fields: readonly Field[], values: Row, nameParts: readonly string[] = []): void {
  const violations = checkNewRecord({ fields, nameParts }, values);
  if (violations.length > 0) throw invalidInput(violations);
}

export type Row = Readonly<Record<string, unknown>>;

export interface Page {
  items: Row[];
  nextCursor?: string;
  total?: number;
  isSimilar?: boolean;
}

export type ResourceName = keyof typeof records;

export const resourceNames = keysOf(records).toSorted();

export const nameOf = (resource: ResourceName, record: Row) => record[records[resource].nameField];

/** Decide which tools are listed; procedures check again. */
export interface Rights {
  has(...scopes: string[]): boolean;
  resources(...verbs: ('read' | 'write')[]): ResourceName[];
  /** Imports and bulk changes, including dry runs. */
  mayManage(resource: ResourceName): boolean;
}

/** Roles of people that can import and make bulk changes; keys only need the scope. */
const managingRoles: readonly (string | null)[] = [null, 'manager', 'admin'];

export async function readRights(service: Service, signal: AbortSignal): Promise<Rights> {
  const { scopes, grants } = await service.query<{
    scopes: readonly string[];
    grants: readonly { role: string | null; scopes: readonly string[] }[];
  }>('sessions.current', {}, { signal });
  const has = (...needed: string[]) => needed.every((scope) => scopes.includes(scope));
  return {
    has,
    resources: (...verbs) => resourceNames.filter((name) => has(...verbs.map((verb) => `${name}:${verb}`))),
    mayManage: (resource) =>
      grants.some(
        ({ role, scopes: own }) => managingRoles.includes(role) && own.includes(`${resource}:write`),
      ),
  };
}

import { records } from '@roster/contract/records';
import type { Field } from '@roster/fields';
import { checkFields } from '@roster/fields/check';
import { pointerTo } from '@roster/fields/json-pointer';

/** A procedure that a tool calls, with its input before its schema has checked it. */
export type Call = (procedure: string, input: object, options: { signal: AbortSignal }) => Promise<unknown>;

/** The service as the tools see it: its procedures in this process, or over the wire. */
export interface Service {
  query: Call;
  mutate: Call;
  /** Returns what a call was rejected with as an error of the service; undefined if it is none. */
  problemOf(error: unknown): Problem | undefined;
}

/** An error of the service, for the client of a tool: the members of its problem document that help to continue. */
export interface Problem {
  code: string;
  detail: string;
  status?: number | undefined;
  requestId?: string | undefined;
  errors?: readonly { pointer?: string | undefined; code: string; detail: string }[] | undefined;
  errorsOmitted?: number | undefined;
  currentVersion?: number | undefined;
  /** The record that the named one was merged into. */
  mergedInto?: string | undefined;
  dependents?: Readonly<Record<string, number>> | undefined;
  retryAfterSeconds?: number | undefined;
}

/** An error that a tool found itself, in the form of those of the service. */
export class ToolError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'ToolError';
    this.problem = problem;
  }
}

/** The error of values that break rules, each at its place, in the words of the service. */
export function invalidInput(faults: readonly { path: readonly string[]; code: string; detail: string }[]) {
  const errors = faults.map(({ path, code, detail }) => ({ pointer: pointerTo(path), code, detail }));
  const [first, second, third, ...more] = faults.map(({ path, detail }) => `${path.join('.')} ${detail}`);
  const rest = more.length > 0 ? `and ${more.length} more` : undefined;
  const detail = `${[first, second, third, rest].filter((text) => text !== undefined).join('; ')}.`;
  return new ToolError({ code: 'validation_failed', status: 422, detail, errors });
}

/** Throws `validation_failed` for values that break the limits of their fields. Rules between fields or records are not checked. */
export function requireValid(fields: readonly Field[], values: Row): void {
  const violations = checkFields(fields, values);
  if (violations.length > 0) throw invalidInput(violations);
}

/** A record as the API shows it, or the arguments of a tool. */
export type Row = Readonly<Record<string, unknown>>;

/** A page of a list. */
export interface Page {
  items: Row[];
  nextCursor?: string;
  total?: number;
  isSimilar?: boolean;
}

export type ResourceName = keyof typeof records;

/** The resources of the directory, by their names. */
export const resourceNames = (Object.keys(records) as ResourceName[]).toSorted();

/** The name by which people know a record. */
export const nameOf = (resource: ResourceName, record: Row) => record[records[resource].nameField];

/** The rights of the caller. They decide which tools are listed; each procedure decides again when it is called. */
export interface Rights {
  /** Whether the caller has all of these scopes. */
  has(...scopes: string[]): boolean;
  /** The resources of which the caller has all of these scopes: `read`, `write`. */
  resources(...verbs: ('read' | 'write')[]): ResourceName[];
  /** Whether imports and changes of many records are allowed, which the dry runs of the service belong to. */
  mayManage(resource: ResourceName): boolean;
}

/** The roles of people that import and change many records; keys need only the scope. */
const managingRoles: readonly (string | null)[] = [null, 'manager', 'admin'];

/** Reads what the caller may do. */
export async function readRights(service: Service, signal: AbortSignal): Promise<Rights> {
  const { scopes, grants } = (await service.query('sessions.current', {}, { signal })) as {
    scopes: readonly string[];
    grants: readonly { role: string | null; scopes: readonly string[] }[];
  };
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

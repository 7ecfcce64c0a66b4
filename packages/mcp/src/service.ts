import { describeIssues, summarize } from '@roster/contract/issues';
import { pointerTo } from '@roster/contract/json-pointer';
import { records } from '@roster/contract/records';

/** A procedure that a tool calls, with its input before its schema has checked it. */
export type Call = (procedure: string, input: object, options: { signal: AbortSignal }) => Promise<unknown>;

/** The service as the tools see it: its procedures in this process, or over the wire. */
export interface Service {
  query: Call;
  mutate: Call;
  /** Returns what a call was rejected with as an error of the service; undefined if it is none. */
  problemOf(error: unknown): Problem | undefined;
}

/** An error of the service, for the client of a tool: the members of its problem document that help to go on. */
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

/** The error of an input that a schema has rejected, in the words of the service. */
export function rejectedInput(input: unknown, issues: Parameters<typeof describeIssues>[0]): ToolError {
  const { errors, omitted } = describeIssues(issues, { input, isParameter: () => false });
  return new ToolError({
    code: 'validation_failed',
    status: 422,
    detail: summarize(errors, omitted),
    errors,
    ...(omitted > 0 && { errorsOmitted: omitted }),
  });
}

/** The error of values that break rules, each at its place. */
export function invalidInput(
  faults: readonly { path: readonly PropertyKey[]; code: string; detail: string }[],
): Problem {
  const errors = faults.map(({ path, code, detail }) => ({
    pointer: pointerTo(path.map(String)),
    code,
    detail,
  }));
  return { code: 'validation_failed', status: 422, detail: summarize(errors), errors };
}

/** A record as the API shows it. */
export type Row = Readonly<Record<string, unknown>>;

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
export function nameOf(resource: ResourceName, record: Row): unknown {
  return record[records[resource].nameField];
}

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** One record of any of some resources in a text: `agent or office`. */
export function oneOf(names: readonly ResourceName[] = resourceNames): string {
  return either.format(names.map((name) => records[name].singular));
}

/** Records of some resources in a text: `agents or offices`. */
export function manyOf(names: readonly ResourceName[] = resourceNames): string {
  return either.format(names);
}

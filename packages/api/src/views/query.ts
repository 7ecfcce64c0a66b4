import { z } from 'zod';
import { forEachResource, type ResourceName } from '../directory/registry.ts';
import { checkNot } from '../engine/list/parameters.ts';
import { RELEVANCE } from '../engine/search/relevance.ts';
import { describeIssues, summarize } from '../errors/describe-issue.ts';
import { RosterError } from '../errors/roster-error.ts';

/** Paging, and the contents of a response: `expand` can need a scope that not every reader has. */
const notOfView: ReadonlySet<string> = new Set([
  'limit',
  'cursor',
  'direction',
  'startAt',
  'includeTotal',
  'highlight',
  'expand',
]);

const parameters = forEachResource<Record<ResourceName, z.ZodObject>>(({ schemas }) => {
  const ofView = Object.entries(schemas.query.shape).filter(([name]) => !notOfView.has(name));
  return z.strictObject(Object.fromEntries(ofView)).check(checkNot);
});

type Parameters = Record<string, string | string[]>;

function issuesOf(resource: ResourceName, query: Parameters): z.core.$ZodIssue[] {
  const { error } = parameters[resource].safeParse(query);
  if (error !== undefined) return error.issues;
  if (query.sort !== RELEVANCE || query.q !== undefined) return [];
  const message = `${RELEVANCE} requires q`;
  return [{ code: 'custom', params: { code: 'not_allowed' }, message, path: ['sort'], input: query.sort }];
}

/** Throws `validation_failed` for a query that the list would reject. */
export function checkQuery(resource: ResourceName, query: Parameters): void {
  const issues = issuesOf(resource, query);
  if (issues.length === 0) return;
  const rejected = { input: query, isParameter: () => false, within: ['query'] };
  const { errors, omitted } = describeIssues(issues, rejected);
  const options = { errors, errorsOmitted: omitted };
  throw new RosterError('validation_failed', summarize(errors, omitted), options);
}

/** RFC 7396: null removes a parameter; a list is replaced as a whole. */
export function mergedQuery(query: Parameters, patch: Record<string, string | string[] | null>): Parameters {
  const merged = Object.entries({ ...query, ...patch });
  return Object.fromEntries(merged.filter((pair): pair is [string, string | string[]] => pair[1] !== null));
}

import { z } from 'zod';
import { forEachResource, type ResourceName } from '../directory.ts';
import { RELEVANCE } from '../engine/search/relevance.ts';
import { describeIssues, summarize } from '../errors/describe-issue.ts';
import { RosterError } from '../errors/roster-error.ts';

/**
 * The parameters of a list that are none of a view: which page is read, and what the response shows of each record. `expand` can
 * need another scope than the list, so that not everyone who may read the view could open it.
 */
const notOfView: ReadonlySet<string> = new Set([
  'limit',
  'cursor',
  'direction',
  'startAt',
  'includeTotal',
  'highlight',
  'expand',
]);

/** The parameters of each list that a view may have. */
const parameters = forEachResource<Record<ResourceName, z.ZodObject>>(({ schemas }) => {
  const ofView = Object.entries(schemas.query.shape).filter(([name]) => !notOfView.has(name));
  return z.strictObject(Object.fromEntries(ofView));
});

/** A parameter has a text, or several. */
type Parameters = Record<string, string | string[]>;

/** The issues of the query of a view: with any, its list would reject the query. */
function issuesOf(resource: ResourceName, query: Parameters): z.core.$ZodIssue[] {
  const { error } = parameters[resource].safeParse(query);
  if (error !== undefined) return error.issues;
  if (query.sort !== RELEVANCE || query.q !== undefined) return [];
  const message = `${RELEVANCE} requires q`;
  return [{ code: 'custom', params: { code: 'not_allowed' }, message, path: ['sort'], input: query.sort }];
}

/** Throws `validation_failed` for a query that the list of a resource would reject. */
export function checkQuery(resource: ResourceName, query: Parameters): void {
  const issues = issuesOf(resource, query);
  if (issues.length === 0) return;
  const rejected = { input: query, isParameter: () => false, within: ['query'] };
  const { errors, omitted } = describeIssues(issues, rejected);
  const options = { errors, errorsOmitted: omitted };
  throw new RosterError('validation_failed', summarize(errors, omitted), options);
}

/**
 * Merges a patch into a query (RFC 7396): a null removes a parameter. The values of parameters are texts and lists, which are
 * replaced as a whole.
 */
export function mergedQuery(query: Parameters, patch: Record<string, string | string[] | null>): Parameters {
  const merged = Object.entries({ ...query, ...patch });
  return Object.fromEntries(merged.filter((pair): pair is [string, string | string[]] => pair[1] !== null));
}

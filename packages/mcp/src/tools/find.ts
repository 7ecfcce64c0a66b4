import { records } from '@roster/contract/records';
import { z } from 'zod';
import type { Rights } from '../rights.ts';
import { manyOf, type Page, type ResourceName, resourceNames } from '../service.ts';
import { pageOutput, type Tool, type ToolOfResources, tool } from '../tool.ts';
import { cursor, filters, limit, resourceOf, status } from './inputs.ts';
import { summaryOf } from './summaries.ts';

const FOUND_DEFAULT = 10;
const FOUND_MAX = 50;

/** The members of a page beside its items. */
export const restOf = ({ nextCursor, total, isSimilar }: Page) => ({
  ...(nextCursor !== undefined && { nextCursor }),
  ...(total !== undefined && { total }),
  ...(isSimilar !== undefined && { isSimilar }),
});

/** The members of a page that only some tools answer. */
const ofSearch = {
  total: z.int().optional().describe('With `includeTotal`: how many match'),
  isSimilar: z.boolean().optional().describe('No record has the words of `q`: these have similar ones'),
};

/** The arguments of a tool that finds records. */
type FindInput = { q?: string; sort?: string } & Record<string, unknown>;

/** The filters by records that the records of a resource belong to. */
function parentFilters(name: ResourceName): Record<string, z.ZodType> {
  const parents = records[name].filters.filter(
    ({ name: filter, refersTo }) => refersTo !== undefined && filter !== 'ids',
  );
  return Object.fromEntries(
    parents.map(({ name: filter, description }) => [
      filter,
      z.string().max(100).optional().describe(description.replace('; repeated: any of them', '')),
    ]),
  );
}

/** The shared filters that the list of a resource has. */
function filtersOf(name: ResourceName): Record<string, z.ZodType> {
  const known = ['q', 'includeTotal', ...records[name].filters.map((filter) => filter.name)];
  return Object.fromEntries(Object.entries(filters).filter(([filter]) => known.includes(filter)));
}

/** The record that is embedded in each one of a list: the one that it belongs to, if the caller may read that. */
function embeddedIn(name: ResourceName, rights: Rights): { expand?: string } {
  const parent = resourceNames.find((other) => records[name].expansions.includes(records[other].singular));
  return parent !== undefined && rights.has(`${parent}:read`) ? { expand: records[parent].singular } : {};
}

/** The tool that finds records of a resource, such as `find_agents`. */
export function findTool(name: ResourceName): Tool {
  return tool({
    name: `find_${name}`,
    title: `Find ${name}`,
    description:
      `Finds ${name} by words, status, e-mail, place and more. A few fields of each: get_record has all. ` +
      'With `q` the best match comes first unless `sort` is given.',
    kind: 'reads',
    input: z.strictObject({
      ...filtersOf(name),
      ...parentFilters(name),
      sort: z
        .enum(records[name].sorts as [string, ...string[]])
        .optional()
        .describe('The order, `-` for descending'),
      limit: limit(FOUND_DEFAULT, FOUND_MAX),
      cursor,
    }) as z.ZodType<FindInput>,
    output: { ...pageOutput, ...ofSearch },
    run: async ({ sort, ...query }, { service, rights, signal }) => {
      const input = { ...query, ...sortOf(sort, query.q), ...embeddedIn(name, rights) };
      const page = (await service.query(`${name}.list`, input, { signal })) as Page;
      return { data: page.items.map((record) => summaryOf(name, record)), ...restOf(page) };
    },
  });
}

function sortOf(sort: string | undefined, q: string | undefined): { sort?: string } {
  if (sort !== undefined) return { sort };
  return q === undefined ? {} : { sort: 'relevance' };
}

const DAY_MS = 86_400_000;
const EXPIRY_DAYS = 60;

/** The day that many days from now, in UTC. */
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** The resources whose records have licences. */
export const licensed = resourceNames.filter((name) =>
  records[name].filters.some((filter) => filter.name === 'licenseExpiresBefore'),
);

export const licensesExpiring: ToolOfResources = (names) =>
  tool({
    name: 'licenses_expiring',
    title: 'Licences that expire',
    description: `The ${manyOf(licensed)} with a licence that expires before a day, or has expired, the earliest first, with their licences.`,
    kind: 'reads',
    input: z.strictObject({
      resource: resourceOf(names).default(names[0] as ResourceName),
      before: z
        .string()
        .max(10)
        .optional()
        .describe(
          `The day (YYYY-MM-DD); ${EXPIRY_DAYS} days from today unless given. With \`cursor\`, pass the \`before\` of the result`,
        ),
      status: status.default('active'),
      limit: limit(FOUND_DEFAULT, FOUND_MAX),
      cursor,
    }),
    output: { ...pageOutput, before: z.string().describe('The day that was asked for') },
    run: async ({ resource, before = dayIn(EXPIRY_DAYS), ...query }, { service, signal }) => {
      const input = { ...query, licenseExpiresBefore: before, sort: 'nextLicenseExpiresOn' };
      const page = (await service.query(`${resource}.list`, input, { signal })) as Page;
      const data = page.items.map((record) => ({
        ...summaryOf(resource, record),
        licenses: record.licenses,
      }));
      return { before, data, ...restOf(page) };
    },
  });

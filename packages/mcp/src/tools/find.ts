import { z } from 'zod';
import type { Page } from '../service.ts';
import { cursor, filters, limit, recordId, resourceOf, status } from './inputs.ts';
import { agentSummary, officeSummary, summaries } from './summaries.ts';
import { type MakeTool, pageOutput, tool } from './tool.ts';

const FOUND_DEFAULT = 10;
const FOUND_MAX = 50;

/** The members of a page beside its items. */
const restOf = ({ nextCursor, total, isSimilar }: Page) => ({
  ...(nextCursor !== undefined && { nextCursor }),
  ...(total !== undefined && { total }),
  ...(isSimilar !== undefined && { isSimilar }),
});

const isSimilar = z
  .boolean()
  .optional()
  .describe('True if no record has the words of `q`, and these have similar ones');

const sorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'nextLicenseExpiresOn'] as const;

export const findAgents: MakeTool = (rights) =>
  rights.has('agents:read')
    ? tool({
        name: 'find_agents',
        title: 'Find agents',
        description:
          'Finds agents by words, status, office, e-mail, licence or place. Answers a few fields of each; get_record has all. ' +
          'With `q` the best match comes first unless `sort` is given.',
        kind: 'reads',
        input: z.strictObject({
          ...filters,
          officeId: recordId('an office: agents who work there or are affiliated with it').optional(),
          sort: z.enum(['lastName', '-lastName', ...sorts, 'relevance']).optional(),
          limit: limit(FOUND_DEFAULT, FOUND_MAX),
          cursor,
        }),
        output: { ...pageOutput, isSimilar },
        run: async ({ sort, ...query }, { service, signal }) => {
          const page = (await service.query(
            'agents.list',
            {
              ...query,
              ...sortOf(sort, query.q),
              ...(rights.has('offices:read') && { expand: 'office' }),
            },
            { signal },
          )) as Page;
          return { data: page.items.map(agentSummary), ...restOf(page) };
        },
      })
    : undefined;

export const findOffices: MakeTool = (rights) =>
  rights.has('offices:read')
    ? tool({
        name: 'find_offices',
        title: 'Find offices',
        description:
          'Finds offices by words, status, e-mail, licence or place. Answers a few fields of each; get_record has all. ' +
          'With `q` the best match comes first unless `sort` is given.',
        kind: 'reads',
        input: z.strictObject({
          ...filters,
          sort: z.enum(['name', '-name', ...sorts, 'relevance']).optional(),
          limit: limit(FOUND_DEFAULT, FOUND_MAX),
          cursor,
        }),
        output: { ...pageOutput, isSimilar },
        run: async ({ sort, ...query }, { service, signal }) => {
          const input = { ...query, ...sortOf(sort, query.q) };
          const page = (await service.query('offices.list', input, { signal })) as Page;
          return { data: page.items.map(officeSummary), ...restOf(page) };
        },
      })
    : undefined;

function sortOf(sort: string | undefined, q: string | undefined): { sort?: string } {
  if (sort !== undefined) return { sort };
  return q === undefined ? {} : { sort: 'relevance' };
}

export const officeRoster: MakeTool = (rights) =>
  rights.has('offices:read', 'agents:read')
    ? tool({
        name: 'office_roster',
        title: 'Agents of an office',
        description:
          'One office with its numbers of agents and branches, and its agents by last name: those who work there and, unless ' +
          '`affiliation` is `primary`, those who are affiliated with it.',
        kind: 'reads',
        input: z.strictObject({
          officeId: recordId('the office'),
          status: status.default('active').describe('Of the agents'),
          affiliation: z.enum(['primary', 'any']).default('any'),
          limit: limit(25, 100),
          cursor,
        }),
        output: {
          ...pageOutput,
          data: z.object({ office: z.looseObject({}), agents: z.array(z.looseObject({})) }),
        },
        run: async ({ officeId, ...query }, { service, signal }) => {
          const [office, page] = await Promise.all([
            service.query('offices.get', { id: officeId, expand: 'counts' }, { signal }),
            service.query('agents.list', { ...query, officeId, sort: 'lastName' }, { signal }),
          ]);
          const { items } = page as Page;
          const data = { office: officeSummary(office as Page['items'][0]), agents: items.map(agentSummary) };
          return { data, ...restOf(page as Page) };
        },
      })
    : undefined;

const DAY_MS = 86_400_000;
const EXPIRY_DAYS = 60;

/** The day that many days from now, in UTC. */
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

export const licensesExpiring: MakeTool = (rights) => {
  const names = rights.resources('read');
  if (names.length === 0) return undefined;
  return tool({
    name: 'licenses_expiring',
    title: 'Licences that expire',
    description:
      'Agents or offices with a licence that expires before a day, or has expired, the earliest first, with their licences.',
    kind: 'reads',
    input: z.strictObject({
      resource: resourceOf(names).default(names[0] ?? 'agents'),
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
        ...summaries[resource](record),
        licenses: record.licenses,
      }));
      return { before, data, ...restOf(page) };
    },
  });
};

import { z } from 'zod';
import { oneOf, type Page, type Row, resourceNames } from '../service.ts';
import { pageOutput, type ToolOfResources, tool } from '../tool.ts';
import { cursor, limit, recordOf } from './inputs.ts';
import { changeSummary } from './summaries.ts';

export const getRecord: ToolOfResources = (names) =>
  tool({
    name: 'get_record',
    title: 'Read one record',
    description: `All fields of one ${oneOf()}, with its version, which changes take as \`ifVersion\`.`,
    kind: 'reads',
    input: z.strictObject(recordOf(names)),
    output: { data: z.looseObject({}).describe('The record') },
    run: async ({ resource, id }, { service, signal }) => ({
      data: await service.query(`${resource}.get`, { id }, { signal }),
    }),
  });

export const history: ToolOfResources = (names) =>
  tool({
    name: 'history',
    title: 'History of a record',
    description: `The changes of one ${oneOf()}, the latest first: who, when, why, and each field before and after. Also of a deleted one.`,
    kind: 'reads',
    input: z.strictObject({
      ...recordOf(names),
      limit: limit(5, 50),
      cursor,
    }),
    output: pageOutput,
    run: async ({ resource, ...query }, { service, signal }) => {
      const { items, nextCursor } = (await service.query(`${resource}.history`, query, { signal })) as Page;
      return { data: items.map(changeSummary), ...(nextCursor !== undefined && { nextCursor }) };
    },
  });

interface ResourceStats extends Row {
  byRegion: unknown[];
  byMonth: unknown[];
}

/** The scopes that the numbers need. */
export const statsScopes = resourceNames.map((name) => `${name}:read`);

export const stats = tool({
  name: 'stats',
  title: 'Numbers of the directory',
  description:
    'How many records of each kind there are: by status, by region, by office, who joined and left by month, and licences that ' +
    'expire. Each list begins with the largest, or the latest month.',
  kind: 'reads',
  input: z.strictObject({
    officesMax: z.int().min(0).max(100).default(5).describe('Offices in the list by office'),
    regionsMax: z.int().min(0).max(200).default(5).describe('Regions in each list'),
    monthsMax: z.int().min(0).max(60).default(6).describe('Months in each list'),
  }),
  output: { data: z.looseObject({}).describe('The numbers by kind of record, `asOf` a time') },
  run: async ({ officesMax, regionsMax, monthsMax }, { service, signal }) => {
    const counts = (await service.query('stats.get', { officesMax }, { signal })) as Row;
    const shortened = ({ byRegion, byMonth, ...others }: ResourceStats) => ({
      ...others,
      byRegion: byRegion.slice(0, regionsMax),
      byMonth: byMonth.slice(0, monthsMax),
    });
    const parts = resourceNames.map((name) => [name, shortened(counts[name] as ResourceStats)]);
    return { data: { ...counts, ...Object.fromEntries(parts) } };
  },
});

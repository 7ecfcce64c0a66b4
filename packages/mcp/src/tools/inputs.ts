import { z } from 'zod';
import type { ResourceName } from '../service.ts';

export const recordId = (what: string) => z.string().max(100).describe(`The id of ${what} (UUID)`);

/** Which kind of record, of those that the caller may name. */
export function resourceOf(names: readonly ResourceName[]) {
  return z.enum(names as [ResourceName, ...ResourceName[]]).describe('The kind of record');
}

/** The one record that a tool is about. */
export function recordOf(names: readonly ResourceName[]) {
  return { resource: resourceOf(names), id: recordId('the record') };
}

export const cursor = z.string().max(4_000).optional().describe('`nextCursor` of the page before');

export function limit(byDefault: number, max: number) {
  return z.int().min(1).max(max).default(byDefault).describe('Items of a page');
}

export const status = z.enum(['active', 'inactive']).describe('Records of this status alone');

const text = (description: string) => z.string().max(254).optional().describe(description);

/** The filters that lists of records share, of those that a resource has. */
export const filters = {
  q: z
    .string()
    .max(200)
    .optional()
    .describe('Words of a name, an e-mail, an MLS id or a city, also with typing errors'),
  status: status.optional().describe('Without it both active and inactive'),
  email: text('The whole e-mail address'),
  mlsId: text('The whole MLS id'),
  city: text('City of the address'),
  region: text('State or province: the ISO 3166-2 code after the hyphen'),
  country: text('Country: ISO 3166-1 alpha-2, such as PT'),
  licenseNumber: text('The number of a licence'),
  sourceName: text('The system that the record came from'),
  sourceKey: text('The key of the record in that system'),
  updatedSince: text('Changed since: RFC 3339, or a duration from now such as -P7D'),
  includeTotal: z.boolean().optional().describe('Count all that match'),
};

export const ifVersion = z.int().min(1).optional().describe('The version that the record must have');

const reason = z.string().max(500).optional().describe('Why; kept with the change');

export function dryRun(byDefault: boolean) {
  return z
    .boolean()
    .default(byDefault)
    .describe(
      byDefault ? 'False to write; else only what would change' : 'True to check first, and create nothing',
    );
}

/** The arguments of a change beside those that say what changes. */
export const changeOptions = { reason, ifVersion, dryRun: dryRun(true) };

import { fragment } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import { dayAt, dayFilter } from '../engine/fields/relative-time.ts';
import type { ComputedValue } from '../engine/list/cursor.ts';
import type { Conditions } from '../engine/list/filters.ts';
import { repeated, value } from '../engine/list/parameters.ts';
import { regionCode } from '../engine/sameness/keys.ts';
import { licenseNumberKeysSql } from '../engine/sameness/sql.ts';
import type { Filter } from '../engine/sql/filter.ts';

/** The lists of records with licences: their filters, and their order by the next expiry. */

export const licenseFilterQuery = {
  licenseNumber: repeated(value(50), {
    description: 'Filter by licence number, ignoring case, spaces and punctuation',
    example: 'AMI-12345',
  }),
  licenseRegion: repeated(value(3, regionCode), {
    description: 'Filter by region that granted a licence, ignoring case',
    example: '11',
  }),
  licenseExpiresSince: dayFilter('Filter by `nextLicenseExpiresOn`: on or after this day'),
  licenseExpiresBefore: dayFilter('Filter by `nextLicenseExpiresOn`: before this day'),
};

/** Records without an expiring licence come last in both directions. */
export const licenseSorts = ['nextLicenseExpiresOn', '-nextLicenseExpiresOn'] as const;

export const licenseExpirySql = (row: string) => `next_license_expiry(${row}.licenses)`;

/** Licence numbers in the searched text. */
export const searchedLicenses = {
  columns: ['licenses'],
  text: (row: string) => `license_texts(${row}.licenses)`,
};

const AFTER_ALL_DAYS = '~';

/** Same expression as the index. Records without a date sort last in both directions. */
function ordered(day: RawBuilder<unknown>, { isDescending }: { isDescending: boolean }): RawBuilder<unknown> {
  return sql`(coalesce(${day}, ${sql.lit(isDescending ? '' : AFTER_ALL_DAYS)}) collate "C")`;
}

const licenseExpiry: ComputedValue = { value: sql.raw('next_license_expiry(licenses)'), ordered };

export const licenseExpiryOrder: RawBuilder<unknown> = ordered(licenseExpiry.value, { isDescending: false });

const isBefore = fragment(
  (_, param) => sql<boolean>`${licenseExpiryOrder} < ${param('licence expiry before')}::text`,
);
const isSince = fragment(
  (_, param) => sql<boolean>`(${licenseExpiryOrder} >= ${param('licence expiry since')}::text
    and ${licenseExpiryOrder} < ${sql.lit(AFTER_ALL_DAYS)})`,
);

export const licenseSort = { nextLicenseExpiresOn: licenseExpiry };

const hasLicense = fragment(
  (_, param) =>
    sql<boolean>`${licenseNumberKeysSql(sql.ref('licenses'))} && ${licenseNumberKeysSql(sql`${param('licenses')}::jsonb`)}`,
);

/** Same expression as the index. */
function byLicense(numbers: string[]): Filter {
  const licenses = JSON.stringify(numbers.map((number) => ({ number })));
  return { condition: hasLicense({}), values: { licenses } };
}

const hasLicenseOfRegion = fragment(
  (_, param) => sql<boolean>`licenses @> any(array(
    select jsonb_build_array(jsonb_build_object('region', region))
    from unnest(${param('license regions')}::text[]) as region))`,
);

/** No index has regions: records are read in the order of the list until the page is full. */
function byLicenseRegion(regions: string[]): Filter {
  return { condition: hasLicenseOfRegion({}), values: { 'license regions': regions } };
}

interface LicenseFilters {
  licenseNumber: string[];
  licenseRegion: string[];
  licenseExpiresSince: string;
  licenseExpiresBefore: string;
}

export const licenseFilters: Conditions<LicenseFilters> = {
  licenseNumber: byLicense,
  licenseRegion: byLicenseRegion,
  licenseExpiresSince: (day, { now }) => ({
    condition: isSince({}),
    values: { 'licence expiry since': dayAt(day, now) },
  }),
  licenseExpiresBefore: (day, { now }) => ({
    condition: isBefore({}),
    values: { 'licence expiry before': dayAt(day, now) },
  }),
};

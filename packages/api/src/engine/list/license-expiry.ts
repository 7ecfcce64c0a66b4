import { fragment } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import type { Filter } from '../sql/filter.ts';
import type { ComputedValue } from './cursor.ts';

/** The earliest last day of a row's licences, as the SQL of a text; null if none has one. */
export const licenseExpirySql = (row: string) => `next_license_expiry(${row}.licenses)`;

/** A text after all days. */
const AFTER_ALL_DAYS = '~';

/** In the words of the index: records without a last day have a text after all days, or before all in descending order. */
function ordered(day: RawBuilder<unknown>, { isDescending }: { isDescending: boolean }): RawBuilder<unknown> {
  return sql`(coalesce(${day}, ${sql.lit(isDescending ? '' : AFTER_ALL_DAYS)}) collate "C")`;
}

/** The sort by the earliest last day, in which records without one come last in both directions. */
export const licenseExpiry: ComputedValue = { value: sql.raw('next_license_expiry(licenses)'), ordered };

/** The value by which records are sorted in ascending order. */
export const licenseExpiryOrder: RawBuilder<unknown> = ordered(licenseExpiry.value, { isDescending: false });

const isBefore = fragment(
  (_, param) => sql<boolean>`${licenseExpiryOrder} < ${param('licence expiry before')}::text`,
);
const isSince = fragment(
  (_, param) => sql<boolean>`(${licenseExpiryOrder} >= ${param('licence expiry since')}::text
    and ${licenseExpiryOrder} < ${sql.lit(AFTER_ALL_DAYS)})`,
);

/** The earliest last day of the licences is before this one. */
export function byLicenseExpiryBefore(day: string): Filter {
  return { condition: isBefore({}), values: { 'licence expiry before': day } };
}

/** The earliest last day of the licences is this one or later. */
export function byLicenseExpirySince(day: string): Filter {
  return { condition: isSince({}), values: { 'licence expiry since': day } };
}

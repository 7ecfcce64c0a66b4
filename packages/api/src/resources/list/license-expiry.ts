import { type RawBuilder, sql } from 'kysely';
import type { Filter } from '../sql/filter.ts';
import type { ComputedValue } from './cursor.ts';

/** The earliest last day of a row's licences, as the SQL of a text; null if none has one. */
export const licenseExpirySql = (row: string) => `next_license_expiry(${row}.licenses)`;

/** In the words of the index: records without a last day have a text after all days, or before all in descending order. */
function ordered(day: RawBuilder<unknown>, { isDescending }: { isDescending: boolean }): RawBuilder<unknown> {
  return sql`(coalesce(${day}, ${sql.lit(isDescending ? '' : '~')}) collate "C")`;
}

/** The sort by the earliest last day, in which records without one come last in both directions. */
export const licenseExpiry: ComputedValue = { value: sql.raw('next_license_expiry(licenses)'), ordered };

/** The value by which records are sorted in ascending order. */
export const licenseExpiryOrder: RawBuilder<unknown> = ordered(licenseExpiry.value, { isDescending: false });

/** A licence has a last day before this one. */
export function byLicenseExpiry(day: string): Filter {
  return {
    condition: (param) => sql`${licenseExpiryOrder} < ${param('license expiry')}::text`,
    values: { 'license expiry': day },
  };
}

import { fragment } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import type { Filter } from '../sql/filter.ts';
import type { ComputedValue } from './cursor.ts';

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

export const licenseExpiry: ComputedValue = { value: sql.raw('next_license_expiry(licenses)'), ordered };

export const licenseExpiryOrder: RawBuilder<unknown> = ordered(licenseExpiry.value, { isDescending: false });

const isBefore = fragment(
  (_, param) => sql<boolean>`${licenseExpiryOrder} < ${param('licence expiry before')}::text`,
);
const isSince = fragment(
  (_, param) => sql<boolean>`(${licenseExpiryOrder} >= ${param('licence expiry since')}::text
    and ${licenseExpiryOrder} < ${sql.lit(AFTER_ALL_DAYS)})`,
);

export function byLicenseExpiryBefore(day: string): Filter {
  return { condition: isBefore({}), values: { 'licence expiry before': day } };
}

export function byLicenseExpirySince(day: string): Filter {
  return { condition: isSince({}), values: { 'licence expiry since': day } };
}

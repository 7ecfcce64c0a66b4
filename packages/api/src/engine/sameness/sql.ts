import { type RawBuilder, sql } from 'kysely';

/** Same expressions as the indexes. Both sides use SQL, because Unicode versions may differ. */

type Text = RawBuilder<unknown>;

/** `withoutCase` for normalised text: email addresses and cities. */
export const withoutCaseSql = (text: Text): Text => sql`lower(${text} collate "und-x-icu")`;

/** `nameKey`, with the collation of its index. */
export const nameKeySql = (name: Text): Text =>
  sql`upper(regexp_replace(normalize(${name}, nfkc), '\\s+', ' ', 'g') collate "und-x-icu") collate "C"`;

export const licenseNumberKeysSql = (licenses: Text): Text => sql`license_number_keys(${licenses})`;

export const firstLicenseNumberSql = (licenses: Text): Text => sql`(${licenseNumberKeysSql(licenses)})[1]`;

export const licenseNumberKeySql = (number: Text): Text =>
  firstLicenseNumberSql(sql`jsonb_build_array(jsonb_build_object('number', ${number}))`);

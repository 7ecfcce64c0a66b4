import { type RawBuilder, sql } from 'kysely';

/**
 * The forms of the other files of this folder as SQL, in the words of the indexes; a property test compares both. Both sides of a
 * comparison are SQL, because the database may not know letters that are new in Unicode.
 */

type Text = RawBuilder<unknown>;

/** `withoutCase` of a text that is in its normal form: of email addresses and cities. */
export const withoutCaseSql = (text: Text): Text => sql`lower(${text} collate "und-x-icu")`;

/** `nameKey`, with the collation of its index. */
export const nameKeySql = (name: Text): Text =>
  sql`upper(normalize(${name}, nfkc) collate "und-x-icu") collate "C"`;

/** `licenseNumberKey` of each of a list of licences, in the words of the index on them. */
export const licenseNumberKeysSql = (licenses: Text): Text => sql`license_number_keys(${licenses})`;

/** `licenseNumberKey` of the first of a list of licences. */
export const firstLicenseNumberSql = (licenses: Text): Text => sql`(${licenseNumberKeysSql(licenses)})[1]`;

/** `licenseNumberKey`. */
export const licenseNumberKeySql = (number: Text): Text =>
  firstLicenseNumberSql(sql`jsonb_build_array(jsonb_build_object('number', ${number}))`);

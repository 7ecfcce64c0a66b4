import { type RawBuilder, sql } from 'kysely';

/** What the other files of this folder compute, as SQL, in the words of the indexes. A property test compares both. */

type Text = RawBuilder<unknown>;

/** `withoutCase` of a text that is in its normal form: of email addresses and cities. */
export const withoutCaseSql = (text: Text): Text => sql`lower(${text} collate "und-x-icu")`;

/** `nameKey`, with the collation of its index. */
export const nameKeySql = (name: Text): Text =>
  sql`upper(normalize(${name}, nfkc) collate "und-x-icu") collate "C"`;

/** `licenseNumberKey` of the first of a list of licences. */
export const firstLicenseNumberSql = (licenses: Text): Text => sql`(license_number_keys(${licenses}))[1]`;

/** Whether a list of licences has a number with one of these keys, in the words of the index on them. */
export const hasLicenseNumberSql = (licenses: Text, keys: Text): RawBuilder<boolean> =>
  sql`license_number_keys(${licenses}) && ${keys}`;

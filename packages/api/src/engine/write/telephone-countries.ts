import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { CountryCode } from 'libphonenumber-js/max';
import type { ResourceDefinition } from '../definition.ts';
import { phoneCountries } from '../fields/countries.ts';
import { andIsWithin, type OfficeLimit } from '../office-limit.ts';

/** A record in JSON, or the part of it by which telephones are read: its address, its office and its telephones. */
export type TelephoneRecord = object;

/** The sources of the country of a telephone, if the address of its record names none. */
export interface CountrySources {
  /** The country that someone named for all records, such as those of a file. It comes before that of an office. */
  named?: string | undefined;
  /** The default country that the environment sets; undefined leaves it to the settings of the directory. */
  defaultCountry: string | undefined;
  /** The offices to which the caller is limited: the address of another one tells nothing. */
  limit: OfficeLimit | undefined;
}

/** A record that is written, with its telephones. */
export interface TelephoneInput {
  /** The fields that are written. */
  input: object;
  /** The record as it is; undefined for a new one. */
  record?: TelephoneRecord | undefined;
  /** The offices above it that are written with it, the nearest first. */
  above?: readonly Pick<TelephoneInput, 'input' | 'record'>[] | undefined;
  /** The country that was found before, if the record is only written now. */
  known?: string | null | undefined;
  /** The country of the offices above these, if it is known without their ids. */
  countryAbove?: string | null | undefined;
}

type Placed = Pick<ResourceDefinition, 'parent'>;

/** Whether a country has phone numbers. */
function hasNumbers(code: string): code is CountryCode {
  return phoneCountries.has(code);
}

/** A country that has phone numbers; undefined for none. */
function plannedCountry(code: string | null | undefined): CountryCode | undefined {
  return typeof code === 'string' && hasNumbers(code) ? code : undefined;
}

/** The country of the address after the change. */
function countryOfAddress({ input, record }: TelephoneInput): CountryCode | undefined {
  const { address: given } = input as { address?: { country?: string | null } | null };
  const { address: stored }: { address?: { country?: string | null } | null } = record ?? {};
  return plannedCountry(given === null || given?.country !== undefined ? given?.country : stored?.country);
}

/** The id of the office after the change that is the next one above what is written. */
function officeAbove({ parent }: Placed, { above = [], ...own }: TelephoneInput): string | null {
  const { input, record } = above.at(-1) ?? own;
  const [given, stored] = [input, record ?? {}].map((fields) => Object.entries(fields));
  const find = (entries: [string, unknown][] = []) => entries.find(([name]) => name === parent?.field)?.[1];
  const id = find(given) === undefined ? find(stored) : find(given);
  return typeof id === 'string' ? id : null;
}

/** The countries of offices and those above them, of each the nearest one that has a numbering plan. */
async function findCountriesOfOffices(
  db: Kysely<Database>,
  ids: readonly string[],
  limit: OfficeLimit | undefined,
): Promise<Map<string, CountryCode>> {
  if (ids.length === 0) return new Map();
  const isSeen = andIsWithin('office.id', limit);
  const { rows } = await sql<{ start: string; country: string }>`
    with recursive above (start, main_office_id, country, distance) as (
      select id, main_office_id, address_country, 0 from office where id = any(${ids}::uuid[])${isSeen}
      union all
      select start, office.main_office_id, office.address_country, distance + 1
      from above join office on office.id = above.main_office_id${isSeen}
    ) cycle main_office_id set is_circle using path
    select start, country from above where country is not null order by distance desc`.execute(db);
  // The last of several is the nearest one.
  return new Map(
    rows.flatMap(({ start, country }) => {
      const planned = plannedCountry(country);
      return planned === undefined ? [] : [[start, planned] as const];
    }),
  );
}

/** The default country of the directory; null if there is none, undefined if nobody has chosen yet. */
export async function findDefaultCountry(db: Kysely<Database>): Promise<string | null | undefined> {
  const row = await db.selectFrom('directory_setting').select('default_country').executeTakeFirst();
  return row?.default_country;
}

/**
 * Finds the country by which the telephones of each record are read that have no country code: that of its address, else the one that was
 * named for all records, else that of its office or of the nearest office above with one, else the default of the directory. Undefined
 * for a record without any.
 */
export async function findTelephoneCountries(
  db: Kysely<Database>,
  resource: Placed,
  inputs: readonly TelephoneInput[],
  { named, defaultCountry, limit }: CountrySources,
): Promise<(CountryCode | undefined)[]> {
  const known = inputs.map((one) => {
    const above = () => one.above?.map(countryOfAddress).find((country) => country !== undefined);
    return (
      plannedCountry(one.known) ??
      countryOfAddress(one) ??
      plannedCountry(named) ??
      above() ??
      plannedCountry(one.countryAbove) ??
      undefined
    );
  });
  const offices = inputs.map((one, place) =>
    known[place] === undefined ? officeAbove(resource, one) : null,
  );
  const ids = [...new Set(offices.flatMap((id) => id ?? []))];
  const byOffice = await findCountriesOfOffices(db, ids, limit);
  const found = known.map((country, place) => country ?? byOffice.get(offices[place] ?? ''));
  if (found.every((country) => country !== undefined)) return found;
  const fallback = plannedCountry(defaultCountry ?? (await findDefaultCountry(db)));
  return found.map((country) => country ?? fallback);
}

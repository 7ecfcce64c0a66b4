import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { CountryCode } from 'libphonenumber-js/max';
import type { ResourceDefinition } from '../definition.ts';
import { phoneCountries } from '../fields/countries.ts';
import { andIsWithin, type OfficeLimit } from '../office-limit.ts';

/** A record in JSON, or the part that decides how telephones are read: address, office and telephones. */
export type TelephoneRecord = object;

export interface CountrySources {
  /** The country given for all records, such as those of a file. Takes precedence over that of an office. */
  named?: string | undefined;
  defaultCountry: string | undefined;
  /** The address of an office out of the limit is not used. */
  limit: OfficeLimit | undefined;
}

export interface TelephoneInput {
  input: object;
  record?: TelephoneRecord | undefined;
  above?: readonly Pick<TelephoneInput, 'input' | 'record'>[] | undefined;
  known?: string | null | undefined;
  countryAbove?: string | null | undefined;
}

type Placed = Pick<ResourceDefinition, 'parent'>;

function hasNumbers(code: string): code is CountryCode {
  return phoneCountries.has(code);
}

function plannedCountry(code: string | null | undefined): CountryCode | undefined {
  return typeof code === 'string' && hasNumbers(code) ? code : undefined;
}

function countryOfAddress({ input, record }: TelephoneInput): CountryCode | undefined {
  const { address: given } = input as { address?: { country?: string | null } | null };
  const { address: stored }: { address?: { country?: string | null } | null } = record ?? {};
  return plannedCountry(given === null || given?.country !== undefined ? given?.country : stored?.country);
}

function officeAbove({ parent }: Placed, { above = [], ...own }: TelephoneInput): string | null {
  const { input, record } = above.at(-1) ?? own;
  const [given, stored] = [input, record ?? {}].map((fields) => Object.entries(fields));
  const find = (entries: [string, unknown][] = []) => entries.find(([name]) => name === parent.field)?.[1];
  const id = find(given) === undefined ? find(stored) : find(given);
  return typeof id === 'string' ? id : null;
}

/** The country of each office, from the nearest one at or above it that has a numbering plan. */
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
  // The last of several is the nearest.
  return new Map(
    rows.flatMap(({ start, country }) => {
      const planned = plannedCountry(country);
      return planned === undefined ? [] : [[start, planned] as const];
    }),
  );
}

/** Null for none, undefined if it was never chosen. */
export async function findDefaultCountry(db: Kysely<Database>): Promise<string | null | undefined> {
  const row = await db.selectFrom('directory_setting').select('default_country').executeTakeFirst();
  return row?.default_country;
}

/**
 * Finds the country of telephones without a country code, for each record: from its address, else the one
 * given for all, else from its office or the nearest office above with one, else the default of the
 * directory. Undefined if there is none.
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

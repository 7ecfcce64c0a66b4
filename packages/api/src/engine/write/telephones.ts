import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { summarize } from '../../errors/describe-issue.ts';
import { RosterError } from '../../errors/roster-error.ts';
import type { ResourceDefinition } from '../definition.ts';
import { columnOf, partColumn } from '../fields/columns.ts';
import { telephoneNames } from '../fields/field.ts';
import { type CountrySources, findTelephoneCountries, type TelephoneRecord } from './telephone-countries.ts';

/** New telephones become E.164; a value that is stored already stays as it is. */

type WithFields = Pick<ResourceDefinition, 'fields'>;

/** A telephone that cannot be read. */
export interface TelephoneIssue {
  field: string;
  code: 'invalid_format';
  detail: string;
}

interface TelephoneReading {
  /** The record as it is; undefined for a new one. */
  record?: TelephoneRecord | undefined;
  /** The country of a telephone without a country code, as `findTelephoneCountries` found it; undefined for none. */
  country: CountryCode | undefined;
}

/** Telephones that were read, and those that could not be. */
interface ReadTelephones<Input> {
  /** The input with its telephones in E.164. */
  input: Input;
  issues: TelephoneIssue[];
  /** Whether one of them has no country code. */
  isByCountry: boolean;
}

/** Whether a telephone begins with a country code: `00` counts as +. */
const hasCountryCode = (text: string) => /^\s*(?:\+|00)/.test(text);

/**
 * Parses a telephone; undefined if it can be none. One that begins with + needs the length of those there, because numbering plans grow;
 * any other must also be a number of its plan, because its country is an assumption: `0176 123456` is none of the US.
 */
function parseTelephone(text: string, country?: CountryCode) {
  const parse = (written: string, defaultCountry?: CountryCode) =>
    parsePhoneNumberFromString(written, { extract: false, ...(defaultCountry && { defaultCountry }) });
  const written = text.trimStart();
  if (written.startsWith('+')) {
    const international = parse(written);
    return international?.isPossible() ? international : undefined;
  }
  // First as it is dialled there: where another prefix than 00 leads abroad, a number may begin with 0011.
  const national = country === undefined ? undefined : parse(written, country);
  if (national?.isValid()) return national;
  const international = hasCountryCode(written) ? parse(`+${written.slice(2)}`) : undefined;
  return international?.isValid() ? international : undefined;
}

const isE164 = (text: string) => text.startsWith('+') && parseTelephone(text)?.number === text;

/** The fields with a telephone in another form than E.164; only those have to be read. */
function unreadNames(resource: WithFields, input: Record<string, unknown>): string[] {
  return telephoneNames(resource).filter((name) => {
    const value = input[name];
    return typeof value === 'string' && !isE164(value);
  });
}

/** Whether the record must be known to read the telephones of a patch: for its country, and for what it has already. */
export function hasUnreadTelephones(resource: WithFields, patch: object): boolean {
  return unreadNames(resource, patch as Record<string, unknown>).length > 0;
}

/** Whether a record that is not validated yet has a telephone without a country code. */
export function hasUncodedTelephone(resource: WithFields, record: Record<string, unknown>): boolean {
  return telephoneNames(resource).some((name) => {
    const value = record[name];
    return typeof value === 'string' && value.trim() !== '' && !hasCountryCode(value);
  });
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' });
const ADVICE = 'Start with + and the country code, e.g. +351 213 000 555';

/** Says of a telephone that cannot be read why not. */
function describeUnread(text: string, country: CountryCode | undefined): string {
  const quoted = JSON.stringify(text);
  if (hasCountryCode(text)) return `isn't a valid phone number: ${quoted}. ${ADVICE}`;
  if (country === undefined)
    return `has no country code, and neither the address, the office nor the settings name a country: ${quoted}. ${ADVICE}`;
  return `isn't a valid phone number (country: ${countryNames.of(country)}): ${quoted}. ${ADVICE}`;
}

/** The E.164 form of a telephone, or what is wrong with it. */
function readTelephone(
  text: string,
  { country, extension }: { country: CountryCode | undefined; extension: string | undefined },
): { number: string } | { detail: string } {
  const parsed = parseTelephone(text, country);
  if (parsed === undefined) return { detail: describeUnread(text, country) };
  if (parsed.ext === undefined) return { number: parsed.number };
  const place = extension === undefined ? '' : `, which belongs in ${extension}`;
  return { detail: `must not contain an extension${place}: ${JSON.stringify(text)} does` };
}

/** Reads the telephones of a validated input. The input is returned as it is if it has none to read. */
export function readTelephones<Input extends object>(
  resource: WithFields,
  input: Input,
  { record: stored, country }: TelephoneReading,
): ReadTelephones<Input> {
  const given = input as Record<string, unknown>;
  const record = stored as Record<string, unknown> | undefined;
  const changed = unreadNames(resource, given).filter((name) => given[name] !== record?.[name]);
  const numbers: Record<string, string> = {};
  const issues: TelephoneIssue[] = [];
  for (const field of changed) {
    const text = String(given[field]);
    const extension = `${field}Ext` in resource.fields ? `${field}Ext` : undefined;
    const read = readTelephone(text, { country, extension });
    if ('number' in read) numbers[field] = read.number;
    else issues.push({ field, code: 'invalid_format', detail: read.detail });
  }
  const isByCountry = changed.some((field) => !hasCountryCode(String(given[field])));
  return { input: changed.length === 0 ? input : { ...input, ...numbers }, issues, isByCountry };
}

/** The error for telephones of one record that cannot be read; undefined if there are none. */
export function describeTelephoneIssues(issues: TelephoneIssue[]): RosterError | undefined {
  if (issues.length === 0) return undefined;
  const errors = issues.map(({ field, ...issue }) => ({ pointer: `#/${field}`, ...issue }));
  return new RosterError('validation_failed', summarize(errors), { errors });
}

/**
 * The same input with its telephones in E.164, of a new record or of a change of one. Throws `validation_failed` for one that cannot be
 * read.
 */
export async function withReadTelephones<Input extends object>(
  db: Kysely<Database>,
  resource: Pick<ResourceDefinition, 'fields' | 'parent'>,
  { input, record }: { input: Input; record?: TelephoneRecord },
  sources: CountrySources,
): Promise<Input> {
  if (!hasUnreadTelephones(resource, input)) return input;
  const [country] = await findTelephoneCountries(db, resource, [{ input, record }], sources);
  const { input: read, issues } = readTelephones(resource, input, { record, country });
  const error = describeTelephoneIssues(issues);
  if (error !== undefined) throw error;
  return read;
}

/**
 * Locks records, in the order of their ids, and returns their telephones, the countries of their addresses and their offices for
 * `readTelephones`.
 */
export async function findTelephones(
  trx: Transaction<Database>,
  resource: Pick<ResourceDefinition, 'table' | 'fields' | 'parent'>,
  ids: readonly string[],
): Promise<Map<string, TelephoneRecord>> {
  const { parent, table } = resource;
  const names = [...(parent === undefined ? [] : [parent.field]), ...telephoneNames(resource)];
  const pairs = names.map((name) => sql`${sql.lit(name)}, ${sql.ref(columnOf(name))}`);
  const country = sql.ref(partColumn('address', 'country'));
  const { rows } = await sql<{ id: string; record: TelephoneRecord }>`
    select id, json_build_object('address', json_build_object('country', ${country}), ${sql.join(pairs)}) as record
    from ${sql.table(table)} where id = any(${ids}::uuid[])
    order by id for no key update`.execute(trx);
  return new Map(rows.map(({ id, record }) => [id, record]));
}

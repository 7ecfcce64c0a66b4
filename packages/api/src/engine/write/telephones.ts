import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { summarize } from '../../errors/describe-issue.ts';
import { RosterError } from '../../errors/roster-error.ts';
import type { ResourceDefinition } from '../definition.ts';
import { columnOf, partColumn } from '../fields/columns.ts';
import { telephoneNames } from '../fields/field.ts';
import { type CountrySources, findTelephoneCountries, type TelephoneRecord } from './telephone-countries.ts';

/** New telephones become E.164; stored values stay unchanged. */

type WithFields = Pick<ResourceDefinition, 'fields'>;

export interface TelephoneIssue {
  field: string;
  code: 'invalid_format';
  detail: string;
}

interface TelephoneReading {
  record?: TelephoneRecord | undefined;
  country: CountryCode | undefined;
}

interface ReadTelephones<Input> {
  input: Input;
  issues: TelephoneIssue[];
  isByCountry: boolean;
}

const hasCountryCode = (text: string) => /^\s*(?:\+|00)/.test(text);

/**
 * Undefined if it is no telephone. With + only the length is checked, because numbering plans grow. Without,
 * it must also be a number of its plan, because the country is an assumption: `0176 123456` is no number of
 * the US.
 */
function parseTelephone(text: string, country?: CountryCode) {
  const parse = (written: string, defaultCountry?: CountryCode) =>
    parsePhoneNumberFromString(written, { extract: false, ...(defaultCountry && { defaultCountry }) });
  const written = text.trimStart();
  if (written.startsWith('+')) {
    const international = parse(written);
    return international?.isPossible() ? international : undefined;
  }
  // First as dialled in the country: if its international prefix is not 00, a number may begin with 0011.
  const national = country === undefined ? undefined : parse(written, country);
  if (national?.isValid()) return national;
  const international = hasCountryCode(written) ? parse(`+${written.slice(2)}`) : undefined;
  return international?.isValid() ? international : undefined;
}

const isE164 = (text: string) => text.startsWith('+') && parseTelephone(text)?.number === text;

function unreadNames(resource: WithFields, input: Record<string, unknown>): string[] {
  return telephoneNames(resource).filter((name) => {
    const value = input[name];
    return typeof value === 'string' && !isE164(value);
  });
}

export function hasUnreadTelephones(resource: WithFields, patch: object): boolean {
  return unreadNames(resource, patch as Record<string, unknown>).length > 0;
}

export function hasUncodedTelephone(resource: WithFields, record: Record<string, unknown>): boolean {
  return telephoneNames(resource).some((name) => {
    const value = record[name];
    return typeof value === 'string' && value.trim() !== '' && !hasCountryCode(value);
  });
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' });
const ADVICE = 'Start with + and the country code, e.g. +351 213 000 555';

function describeUnread(text: string, country: CountryCode | undefined): string {
  const quoted = JSON.stringify(text);
  if (hasCountryCode(text)) return `isn't a valid phone number: ${quoted}. ${ADVICE}`;
  if (country === undefined)
    return `has no country code, and neither the address, the office nor the settings name a country: ${quoted}. ${ADVICE}`;
  return `isn't a valid phone number (country: ${countryNames.of(country)}): ${quoted}. ${ADVICE}`;
}

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

export function describeTelephoneIssues(issues: TelephoneIssue[]): RosterError | undefined {
  if (issues.length === 0) return undefined;
  const errors = issues.map(({ field, ...issue }) => ({ pointer: `#/${field}`, ...issue }));
  return new RosterError('validation_failed', summarize(errors), { errors });
}

/** Throws `validation_failed` for one that can't be read. */
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

export async function findTelephones(
  trx: Transaction<Database>,
  resource: Pick<ResourceDefinition, 'table' | 'fields' | 'parent'>,
  ids: readonly string[],
): Promise<Map<string, TelephoneRecord>> {
  const { parent, table } = resource;
  const pairs = telephoneNames(resource).map((name) => sql`${sql.lit(name)}, ${sql.ref(columnOf(name))}`);
  const office = sql`${sql.lit(parent.field)}, ${sql.ref(parent.column)}`;
  const country = sql.ref(partColumn('address', 'country'));
  const { rows } = await sql<{ id: string; record: TelephoneRecord }>`
    select id, json_build_object('address', json_build_object('country', ${country}), ${office}, ${sql.join(pairs)}) as record
    from ${sql.table(table)} where id = any(${ids}::uuid[])
    order by id for no key update`.execute(trx);
  return new Map(rows.map(({ id, record }) => [id, record]));
}

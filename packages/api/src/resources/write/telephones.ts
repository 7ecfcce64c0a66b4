import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { summarize } from '../../errors/describe-issue.ts';
import { RosterError } from '../../errors/roster-error.ts';
import type { ResourceDefinition } from '../definition.ts';
import { columnOf, partColumn } from '../fields/columns.ts';
import { telephoneNames } from '../fields/field.ts';

/** New telephones become E.164; a value that is stored already stays as it is. */

type WithFields = Pick<ResourceDefinition, 'fields'>;

/** A record in JSON, or the part of it by which telephones are read: the country of its address, and its telephones. */
export type TelephoneRecord = object;

/** A telephone that cannot be read. */
export interface TelephoneIssue {
  field: string;
  code: 'invalid_format';
  detail: string;
}

interface TelephoneReading {
  /** The record as it is; undefined for a new one. */
  record?: TelephoneRecord | undefined;
  /** The country of a telephone without a country code, if the address names none. */
  defaultCountry: string;
}

/** Whether the numbering plan of a country is known. */
export function isTelephoneCountry(code: string): code is CountryCode {
  return isSupportedCountry(code);
}

/**
 * Parses a telephone; undefined if it can be none. One with a country code needs the length of those there, because numbering plans
 * grow; one without must also be a number of that plan, because the country is an assumption: `0176 123456` is none of the US.
 */
function parseTelephone(text: string, country?: CountryCode) {
  const parsed = parsePhoneNumberFromString(text, {
    extract: false,
    ...(country && { defaultCountry: country }),
  });
  const isTelephone = text.trimStart().startsWith('+') ? parsed?.isPossible() : parsed?.isValid();
  return isTelephone ? parsed : undefined;
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

/** The country of the address after a change, if it has telephones, else the default one. */
function chooseCountry(
  input: Record<string, unknown>,
  { record, defaultCountry }: TelephoneReading,
): CountryCode {
  const { address: given } = input as { address?: { country?: string | null } | null };
  const { address: stored }: { address?: { country?: string | null } | null } = record ?? {};
  const country = given === null || given?.country !== undefined ? given?.country : stored?.country;
  return (country && isTelephoneCountry(country) ? country : defaultCountry) as CountryCode;
}

/** The E.164 form of a telephone, or what is wrong with it. */
function readTelephone(
  text: string,
  { country, extension }: { country: CountryCode; extension: string | undefined },
): { number: string } | { detail: string } {
  const parsed = parseTelephone(text, country);
  if (parsed === undefined) {
    const detail = `must be a telephone number of ${country}, or begin with + and a country code, as +13055550123 does: ${JSON.stringify(text)} cannot be read`;
    return { detail };
  }
  if (parsed.ext === undefined) return { number: parsed.number };
  const place = extension === undefined ? '' : `, which belongs in ${extension}`;
  return { detail: `must not contain an extension${place}: ${JSON.stringify(text)} does` };
}

/**
 * Reads the telephones of a validated input, and returns it with them in E.164. The input is returned as it is if it has
 * none to read.
 */
export function readTelephones<Input extends object>(
  resource: WithFields,
  input: Input,
  reading: TelephoneReading,
): { input: Input; issues: TelephoneIssue[] } {
  const given = input as Record<string, unknown>;
  const record = reading.record as Record<string, unknown> | undefined;
  const changed = unreadNames(resource, given).filter((name) => given[name] !== record?.[name]);
  if (changed.length === 0) return { input, issues: [] };
  const country = chooseCountry(given, reading);
  const numbers: Record<string, string> = {};
  const issues: TelephoneIssue[] = [];
  for (const field of changed) {
    const extension = `${field}Ext` in resource.fields ? `${field}Ext` : undefined;
    const read = readTelephone(String(given[field]), { country, extension });
    if ('number' in read) numbers[field] = read.number;
    else issues.push({ field, code: 'invalid_format', detail: read.detail });
  }
  return { input: { ...input, ...numbers }, issues };
}

/** The error for telephones of one record that cannot be read; undefined if there are none. */
export function describeTelephoneIssues(issues: TelephoneIssue[]): RosterError | undefined {
  if (issues.length === 0) return undefined;
  const errors = issues.map(({ field, ...issue }) => ({ pointer: `#/${field}`, ...issue }));
  return new RosterError('validation_failed', summarize(errors), { errors });
}

/** The same input with its telephones in E.164. Throws `validation_failed` for one that cannot be read. */
export function withReadTelephones<Input extends object>(
  resource: WithFields,
  input: Input,
  reading: TelephoneReading,
): Input {
  const { input: read, issues } = readTelephones(resource, input, reading);
  const error = describeTelephoneIssues(issues);
  if (error !== undefined) throw error;
  return read;
}

/** Locks records, in the order of their ids, and returns their telephones and the countries of their addresses for `readTelephones`. */
export async function findTelephones(
  trx: Transaction<Database>,
  resource: Pick<ResourceDefinition, 'table' | 'fields'>,
  ids: readonly string[],
): Promise<Map<string, TelephoneRecord>> {
  const pairs = telephoneNames(resource).map((name) => sql`${sql.lit(name)}, ${sql.ref(columnOf(name))}`);
  const country = sql.ref(partColumn('address', 'country'));
  const { rows } = await sql<{ id: string; record: TelephoneRecord }>`
    select id, json_build_object('address', json_build_object('country', ${country}), ${sql.join(pairs)}) as record
    from ${sql.table(resource.table)} where id = any(${ids}::uuid[])
    order by id for no key update`.execute(trx);
  return new Map(rows.map(({ id, record }) => [id, record]));
}

import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import {
  type CountryCode,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/max';
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
  /** Whether the first of several numbers in a text is read, with a note. */
  takesFirst?: boolean;
}

interface ReadTelephones<Input> {
  input: Input;
  issues: TelephoneIssue[];
  notes: { field: string; detail: string }[];
  isByCountry: boolean;
}

/** Additions that people write around a number, and how they are read: words before it, a bracket around the country code, a note behind it. */
const surroundings: readonly [pattern: RegExp, replacement: string][] = [
  [/^\s*(?:tel|telephone|telefone|teléfono|phone|mobile|cell|fax|tlm|tlf|[tmpf])\s*[.:]+\s*/i, ''],
  [/^\s*\(\s*((?:\+|00)\s*\d{1,3})\s*\)/, '$1 '],
  [/^(\s*(?:\+|00)\s*\d[\d\s.-]*)\(\s*0\s*\)/, '$1'],
  [/\s*[([][^()[\]\d]*\p{L}[^()[\]\d]*[)\]]\s*$/u, ''],
];

function bareTelephone(text: string): string {
  return surroundings.reduce((bare, [pattern, replacement]) => bare.replace(pattern, replacement), text);
}

const hasCountryCode = (text: string) => /^\s*(?:\+|00)/.test(bareTelephone(text));

/**
 * Undefined if it is no telephone. With + only the length is checked, because numbering plans grow. Without,
 * it must also be a number of its plan, because the country is an assumption: `0176 123456` is no number of
 * the US.
 */
function parseTelephone(text: string, country?: CountryCode) {
  const parse = (written: string, defaultCountry?: CountryCode) =>
    parsePhoneNumberFromString(written, { extract: false, ...(defaultCountry && { defaultCountry }) });
  const written = bareTelephone(text).trimStart();
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

/** The first of several numbers in a text, if each has enough digits to be one: `912 345 678 / 913 456 789`. */
function firstOfSeveral(text: string, country: CountryCode | undefined): string | undefined {
  const parts = text.split(/\s*[/;,|]\s*|\s+(?:or|ou|o|e|y|and|und)\s+/i);
  if (parts.length < 2 || parts.some((part) => part.replaceAll(/\D/g, '').length < 6)) return undefined;
  return parseTelephone(parts[0] ?? '', country)?.number;
}

const isE164 = (text: string) => /^\+\d+$/.test(text) && parseTelephone(text)?.number === text;

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

/** The fault in the length of a number, in words; undefined for none. */
function lengthFault(text: string, country: CountryCode | undefined): string | undefined {
  const digits = bareTelephone(text).trim().replace(/^00/, '+');
  const words: Readonly<Record<string, string>> = {
    TOO_SHORT: 'is too short',
    TOO_LONG: 'is too long',
    INVALID_LENGTH: 'has the wrong number of digits',
  };
  if (/\p{L}/u.test(digits)) return undefined;
  return words[validatePhoneNumberLength(digits, country && { defaultCountry: country }) ?? ''];
}

function describeUnread(text: string, country: CountryCode | undefined): string {
  const quoted = JSON.stringify(text);
  const isCoded = hasCountryCode(text);
  if (!isCoded && country === undefined)
    return `has no country code, and neither the address, the office nor the settings name a country: ${quoted}. ${ADVICE}, or set the default country in the settings`;
  const fault = lengthFault(text, isCoded ? undefined : country);
  const place = isCoded || country === undefined ? '' : ` for ${countryNames.of(country)}`;
  if (fault !== undefined) return `${fault}${place}: ${quoted}`;
  // A number that already starts so needs no advice to do it.
  return `isn't a valid phone number${place}: ${quoted}${isCoded ? '' : `. ${ADVICE}`}`;
}

function readTelephone(
  text: string,
  {
    country,
    extension,
    takesFirst,
  }: { country: CountryCode | undefined; extension: string | undefined; takesFirst: boolean },
): { number: string; note?: string } | { detail: string } {
  const parsed = parseTelephone(text, country);
  const first = parsed === undefined && takesFirst ? firstOfSeveral(text, country) : undefined;
  if (first !== undefined) return { number: first, note: `has several numbers; the first is read: ${first}` };
  if (parsed === undefined) return { detail: describeUnread(text, country) };
  if (parsed.ext === undefined) return { number: parsed.number };
  const place = extension === undefined ? '' : `, which belongs in ${extension}`;
  return { detail: `must not contain an extension${place}: ${JSON.stringify(text)} does` };
}

export function readTelephones<Input extends object>(
  resource: WithFields,
  input: Input,
  { record: stored, country, takesFirst = false }: TelephoneReading,
): ReadTelephones<Input> {
  const given = input as Record<string, unknown>;
  const record = stored as Record<string, unknown> | undefined;
  const changed = unreadNames(resource, given).filter((name) => given[name] !== record?.[name]);
  const numbers: Record<string, string> = {};
  const issues: TelephoneIssue[] = [];
  const notes: ReadTelephones<Input>['notes'] = [];
  for (const field of changed) {
    const text = String(given[field]);
    const extension = `${field}Ext` in resource.fields ? `${field}Ext` : undefined;
    const read = readTelephone(text, { country, extension, takesFirst });
    if ('number' in read) {
      numbers[field] = read.number;
      if (read.note !== undefined) notes.push({ field, detail: read.note });
    } else issues.push({ field, code: 'invalid_format', detail: read.detail });
  }
  const isByCountry = changed.some((field) => !hasCountryCode(String(given[field])));
  return { input: changed.length === 0 ? input : { ...input, ...numbers }, issues, notes, isByCountry };
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
  const names = [...(parent === undefined ? [] : [parent.field]), ...telephoneNames(resource)];
  const pairs = names.map((name) => sql`${sql.lit(name)}, ${sql.ref(columnOf(name))}`);
  const country = sql.ref(partColumn('address', 'country'));
  const { rows } = await sql<{ id: string; record: TelephoneRecord }>`
    select id, json_build_object('address', json_build_object('country', ${country}), ${sql.join(pairs)}) as record
    from ${sql.table(table)} where id = any(${ids}::uuid[])
    order by id for no key update`.execute(trx);
  return new Map(rows.map(({ id, record }) => [id, record]));
}

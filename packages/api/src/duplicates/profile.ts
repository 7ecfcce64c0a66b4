import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { ComparedFields, ResourceDefinition } from '../engine/definition.ts';
import { telephoneNames } from '../engine/fields/field.ts';
import { regionCode } from '../engine/sameness/codes.ts';
import { mailboxOf } from '../engine/sameness/contacts.ts';
import { latinWords } from './words.ts';

/** A resource whose records are compared. */
export type Compared = Pick<ResourceDefinition, 'name' | 'table' | 'fields' | 'compared' | 'parent'>;

/** The name of a person, in words. */
export interface PersonName {
  /** The given name, then other names in its place. */
  given: string[];
  otherGiven: string[];
  family: string[];
  suffix: string;
}

interface License {
  number: string;
  region: string | null;
  /** As people read it. */
  shown: string;
  /** The region and the kind: of these a person has one licence. */
  kind: string;
}

/** The parts of a record that are compared. */
export interface Profile {
  id: string;
  person: PersonName | undefined;
  /** The words of each of its names, if it is no person. */
  names: string[][];
  emails: string[];
  telephones: string[];
  licenses: License[];
  /** By field, without signs. */
  numbers: Map<string, string>;
  source: { name: string; key: string } | undefined;
  /** The office that it is in, unless it is one itself. */
  officeId: string | undefined;
  /** The record it is a branch of. */
  branchOf: string | undefined;
  city: string;
  /** The street with the postal code, in words; empty if one of them is not known. */
  street: string;
}

type Json = Readonly<Record<string, unknown>>;

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const words = (value: unknown) => latinWords(text(value));
/** A number as it is compared: letters and digits. */
const signless = (value: unknown) => words(value).join('');

/** A phone number in E.164; one that was stored before that, and cannot be read, by its digits. Empty without seven of them. */
function telephoneOf(value: unknown): string {
  const given = text(value);
  // Stored in E.164, as phone numbers are when they are written.
  if (given === '' || /^\+[1-9]\d{6,14}$/.test(given)) return given;
  const parsed = parsePhoneNumberFromString(given, { extract: false });
  if (parsed !== undefined) return parsed.number;
  const digits = given.replaceAll(/\D/g, '');
  return digits.length < 7 ? '' : digits;
}

const present = (values: readonly string[]) => [...new Set(values.filter((value) => value !== ''))];

function personOf(record: Json, { name }: ComparedFields): PersonName | undefined {
  if (!('person' in name)) return undefined;
  const { given, otherGiven, family, suffix } = name.person;
  return {
    given: words(record[given]),
    otherGiven: otherGiven.flatMap((field) => words(record[field])),
    family: words(record[family]),
    suffix: signless(record[suffix]),
  };
}

/** The legal forms of companies, which do not tell one from another. */
const legalForms = new Set([
  'LDA',
  'LTDA',
  'LTD',
  'LLC',
  'INC',
  'CORP',
  'CO',
  'GMBH',
  'AG',
  'SA',
  'SL',
  'SRL',
  'SARL',
  'BV',
  'THE',
]);

function namesOf(record: Json, { name }: ComparedFields): string[][] {
  if (!('anyOf' in name)) return [];
  const all = name.anyOf.map((field) => words(record[field]).filter((word) => !legalForms.has(word)));
  return all.filter((one) => one.length > 0);
}

function licensesOf(record: Json, { licenses: field }: ComparedFields): License[] {
  const list = field === undefined ? [] : record[field];
  if (!Array.isArray(list)) return [];
  return list.map(({ number, region, type }: Json) => {
    const place = regionCode(text(region));
    return {
      number: text(number),
      region: place || null,
      shown: place === '' ? text(number) : `${text(number)} (${place})`,
      kind: `${place} ${signless(type)}`,
    };
  });
}

/** Reads what is compared of a record, with the email addresses of those that were merged into it. */
export function profileOf(
  resource: Compared,
  record: Json & { id: string },
  mergedEmails: readonly string[] = [],
): Profile {
  const { compared, parent } = resource;
  const { source } = record as { source?: { name: string; key: string } | null };
  const address = (compared.address === undefined ? null : record[compared.address]) as Json | null;
  const street = words(address?.line1).join(' ');
  const postalCode = signless(address?.postalCode);
  const inParent = parent && (text(record[parent.field]) || undefined);
  const numbers = compared.numbers.map((field) => [field, signless(record[field])] as const);
  return {
    id: record.id,
    person: personOf(record, compared),
    names: namesOf(record, compared),
    emails: present(
      [...compared.emails.map((field) => text(record[field])), ...mergedEmails].map(
        (email) => email && mailboxOf(email),
      ),
    ),
    telephones: present(telephoneNames(resource).map((field) => telephoneOf(record[field]))),
    licenses: licensesOf(record, compared),
    numbers: new Map(numbers.filter(([, number]) => number !== '')),
    source: source ? { name: signless(source.name), key: signless(source.key) } : undefined,
    officeId: parent?.isTree ? undefined : inParent,
    branchOf: parent?.isTree ? inParent : undefined,
    city: words(address?.city).join(' '),
    street: street && postalCode && `${street} ${postalCode}`,
  };
}

import anyAscii from 'any-ascii';
import { distance } from 'fastest-levenshtein';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { DirectoryResource } from '../directory/registry.ts';
import { telephoneNames } from '../engine/fields/field.ts';
import { folded } from '../engine/sameness/folding.ts';
import { mailboxOf, regionCode } from '../engine/sameness/keys.ts';
import { type ComparedFields, comparedFields } from './compared.ts';

/** Compares transliterated words (Сергей is SERGEY) by their consonants, which most spellings share. */

function latinWords(text: string): string[] {
  const capitals = folded(text);
  const latin = /^[\0-\x7f]*$/.test(capitals) ? capitals : folded(anyAscii(capitals));
  return latin.split(/[^A-Z0-9]+/).filter((word) => word !== '');
}

/** Spellings of one sound, longer ones first. */
const sounds: readonly (readonly [RegExp, string])[] = [
  [/X/g, 'KS'],
  [/TSCH|SHCH|SCH|TCH|CH|SH/g, '6'],
  [/PH/g, 'F'],
  [/TH/g, 'T'],
  [/KH|CK|QU|Q|C/g, 'K'],
  [/[YIJ]/g, 'I'],
  [/[VW]/g, 'F'],
  [/Z/g, 'S'],
];

/** The consonants as they sound, and the first letter: SERGEY and SERGUEI match. */
export function skeletonOf(word: string): string {
  const spoken = sounds.reduce((text, [spelling, sound]) => text.replace(spelling, sound), word);
  const [first = '', ...rest] = spoken;
  const consonants = rest.join('').replaceAll(/[AEIOUH]/g, '');
  return (first + consonants).replaceAll(/(.)\1+/g, '$1');
}

export const DIFFERENT = 0;
export const SIMILAR = 1;
export const SAME = 2;
export type Likeness = typeof DIFFERENT | typeof SIMILAR | typeof SAME;

/** Paulo and Paula, or Daniel and Daniela, are different people. */
function isOtherGender(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length === long.length) return short.slice(0, -1) === long.slice(0, -1) && /[AEO]$/.test(short);
  return long === `${short}A` || long === `${short}E`;
}

const typosIn = (length: number) => (length < 4 ? 0 : length < 8 ? 1 : 2);

export function compareWords(one: string, other: string): Likeness {
  if (one === other) return SAME;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length === 1) return long.startsWith(short) ? SIMILAR : DIFFERENT;
  if (isOtherGender(one, other)) return DIFFERENT;
  if (short.length >= 3 && long.startsWith(short)) return SIMILAR;
  if (distance(one, other) <= typosIn(short.length)) return SIMILAR;
  return short.length >= 5 && skeletonOf(one).length >= 2 && skeletonOf(one) === skeletonOf(other)
    ? SIMILAR
    : DIFFERENT;
}

export function compareAny(some: readonly string[], others: readonly string[]): Likeness {
  let best: Likeness = DIFFERENT;
  for (const one of some)
    for (const other of others) {
      const likeness = compareWords(one, other);
      if (likeness > best) best = likeness;
      if (best === SAME) return best;
    }
  return best;
}

export type Compared = Pick<DirectoryResource, 'name' | 'table' | 'fields' | 'parent'>;

export interface PersonName {
  given: string[];
  otherGiven: string[];
  family: string[];
  suffix: string;
}

interface License {
  number: string;
  region: string | null;
  shown: string;
  /** The region and the type: a person has one licence for each. */
  kind: string;
}

export interface Profile {
  id: string;
  person: PersonName | undefined;
  names: string[][];
  emails: string[];
  telephones: string[];
  licenses: License[];
  numbers: Map<string, string>;
  source: { name: string; key: string } | undefined;
  officeId: string | undefined;
  branchOf: string | undefined;
  city: string;
  street: string;
}

type Json = Readonly<Record<string, unknown>>;

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const words = (value: unknown) => latinWords(text(value));
const signless = (value: unknown) => words(value).join('');

/** In E.164; an older number that can't be read by its digits. Empty with fewer than seven. */
function telephoneOf(value: unknown): string {
  const given = text(value);
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

/** Legal forms do not distinguish companies. */
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

export function profileOf(
  resource: Compared,
  record: Json & { id: string },
  mergedEmails: readonly string[] = [],
): Profile {
  const { name, parent } = resource;
  const compared = comparedFields[name];
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

import { isSameLicense } from '../engine/sameness/keys.ts';
import {
  compareAny,
  compareWords,
  DIFFERENT,
  type Likeness,
  type PersonName,
  type Profile,
  SAME,
  SIMILAR,
} from './profile.ts';

export const reasonKinds = ['telephone', 'email', 'license', 'number', 'source', 'name'] as const;
type ReasonKind = (typeof reasonKinds)[number];

export const SCORE_MIN = 0.5;

/** The default minimum of lists; docs/benchmark.md gives reasons. */
export const SCORE_DEFAULT = 0.8;

export const commonPlaces = ['office', 'address', 'city'] as const;
type CommonPlace = (typeof commonPlaces)[number];

export interface Reason {
  kind: ReasonKind;
  text: string;
  /** The shared phone number, mailbox or number. None for a name. */
  value?: string;
  field?: string;
  isSimilar?: true;
  place?: CommonPlace;
}

/** After Fellegi and Sunter: logarithms of odds, which add up. docs/benchmark.md has the accuracy. */
interface Evidence {
  weight: number;
  reason?: Reason | undefined;
}

/** The logarithm of the odds for two records that share a key. */
const PRIOR = -5;

const weights = {
  given: [-5.5, 1.4, 2],
  family: [-0.2, 1.4, 2],
  /** Only one of two namesakes is Jr. */
  otherGeneration: -5,
  name: [-4, 2.5, 4.5],
  /** Each also has a phone number of its own. */
  ownTelephones: -1.5,
  email: 5.5,
  otherEmail: -0.2,
  license: 6,
  /** Licences of the same type and region, with different numbers. */
  otherLicense: -3,
  number: 5.5,
  otherNumber: -1.5,
  source: 2,
  /** One source lists both as different. */
  sameSource: -1.5,
  office: 1,
  city: 0.5,
  cityOfCompany: 1,
  street: 1,
  otherCity: -4,
  branch: -6,
} as const;

/** With this many records, a phone number is a switchboard. */
export const SWITCHBOARD_MIN = 7;

function telephoneWeight(count: number): number {
  if (count <= 2) return 5;
  if (count <= 3) return 3.5;
  return count < SWITCHBOARD_MIN ? 1.5 : 0.3;
}

const first = <Value>(some: readonly Value[], has: (value: Value) => boolean) => some.find(has);

function byTelephone(one: Profile, other: Profile, countOf: (telephone: string) => number): Evidence[] {
  const shared = one.telephones.filter((telephone) => other.telephones.includes(telephone));
  const [best] = shared.sort((left, right) => countOf(left) - countOf(right));
  const hasOwn = ({ telephones }: Profile) =>
    telephones.some((telephone) => !shared.includes(telephone) && countOf(telephone) < SWITCHBOARD_MIN);
  const own = hasOwn(one) && hasOwn(other) ? [{ weight: weights.ownTelephones }] : [];
  if (best === undefined) return own;
  const reason = { kind: 'telephone' as const, text: `Same phone number ${best}`, value: best };
  return [{ weight: telephoneWeight(countOf(best)), reason }, ...own];
}

function byEmail({ emails }: Profile, other: Profile): Evidence[] {
  const same = first(emails, (email) => other.emails.includes(email));
  if (same !== undefined)
    return [{ weight: weights.email, reason: { kind: 'email', text: `Same mailbox ${same}`, value: same } }];
  return emails.length > 0 && other.emails.length > 0 ? [{ weight: weights.otherEmail }] : [];
}

function byLicense({ licenses }: Profile, other: Profile): Evidence[] {
  const same = first(licenses, (license) => other.licenses.some((one) => isSameLicense(license, one)));
  if (same !== undefined) {
    const { shown: value } = same;
    return [{ weight: weights.license, reason: { kind: 'license', text: `Same licence ${value}`, value } }];
  }
  const isOther = licenses.some(({ kind }) => other.licenses.some((one) => one.kind === kind));
  return isOther ? [{ weight: weights.otherLicense }] : [];
}

function byNumber({ numbers }: Profile, other: Profile): Evidence[] {
  return [...numbers].flatMap(([field, number]): Evidence[] => {
    const another = other.numbers.get(field);
    if (another === undefined) return [];
    if (another !== number) return [{ weight: weights.otherNumber }];
    const reason = { kind: 'number' as const, text: `Same ${field} ${number}`, value: number, field };
    return [{ weight: weights.number, reason }];
  });
}

function bySource({ source }: Profile, { source: other }: Profile): Evidence[] {
  if (source === undefined || other === undefined) return [];
  const { key: value } = source;
  if (value === other.key && value !== '')
    return [{ weight: weights.source, reason: { kind: 'source', text: `Same source key ${value}`, value } }];
  return source.name === other.name ? [{ weight: weights.sameSource }] : [];
}

const placeTexts: Readonly<Record<CommonPlace, string>> = {
  office: 'in the same office',
  address: 'at the same address',
  city: 'in the same city',
};

function findCommonPlace(one: Profile, other: Profile): CommonPlace | undefined {
  if (one.officeId !== undefined && one.officeId === other.officeId) return 'office';
  if (one.street !== '' && one.street === other.street) return 'address';
  return one.city !== '' && one.city === other.city ? 'city' : undefined;
}

function nameReason(isSame: boolean, [one, other]: readonly [Profile, Profile]): Reason {
  const place = findCommonPlace(one, other);
  return {
    kind: 'name',
    text: `${isSame ? 'Same' : 'Similar'} name${place === undefined ? '' : ` ${placeTexts[place]}`}`,
    ...(!isSame && { isSimilar: true }),
    ...(place !== undefined && { place }),
  };
}

const partsOf = ({ given, family }: PersonName) => Number(given.length > 0) + Number(family.length > 0);

function byPersonName(one: Profile, other: Profile): Evidence[] {
  if (one.person === undefined || other.person === undefined) return [];
  const likeness = comparePeople(one.person, other.person);
  const { given, family, isOtherGeneration } = likeness;
  // A person with one name is at most similar to a person with two.
  const isSame = partsOf(one.person) === partsOf(other.person) && given !== SIMILAR && family !== SIMILAR;
  return [
    {
      weight:
        (given === undefined ? 0 : weights.given[given]) +
        (family === undefined ? 0 : weights.family[family]),
      ...(areAlike(likeness) && { reason: nameReason(isSame, [one, other]) }),
    },
    ...(isOtherGeneration ? [{ weight: weights.otherGeneration }] : []),
  ];
}

function byName(one: Profile, other: Profile): Evidence[] {
  if (one.person !== undefined) return byPersonName(one, other);
  const likeness = compareNames(one, other);
  return [
    {
      weight: weights.name[likeness],
      ...(likeness >= SIMILAR && { reason: nameReason(likeness === SAME, [one, other]) }),
    },
  ];
}

function byPlace(one: Profile, other: Profile): Evidence[] {
  const places: Evidence[] = [];
  if (one.officeId !== undefined && one.officeId === other.officeId) places.push({ weight: weights.office });
  if (one.street !== '' && one.street === other.street) places.push({ weight: weights.street });
  // An agent of two offices has two addresses; an office has one.
  if (one.city !== '' && other.city !== '') {
    if (one.city === other.city)
      places.push({ weight: one.person === undefined ? weights.cityOfCompany : weights.city });
    else if (one.person === undefined) places.push({ weight: weights.otherCity });
  }
  const isBranch = one.branchOf === other.id || other.branchOf === one.id;
  return isBranch ? [...places, { weight: weights.branch }] : places;
}

/** In hundredths from 0 to 1. `countOf` is the number of records with a phone number. */
export function scorePair(
  one: Profile,
  other: Profile,
  countOf: (telephone: string) => number,
): { score: number; reasons: Reason[] } {
  const evidence = [
    ...byTelephone(one, other, countOf),
    ...byEmail(one, other),
    ...byLicense(one, other),
    ...byNumber(one, other),
    ...bySource(one, other),
    ...byName(one, other),
    ...byPlace(one, other),
  ];
  const odds = evidence.reduce((sum, { weight }) => sum + weight, PRIOR);
  const score = Math.round(100 / (1 + Math.exp(-odds))) / 100;
  return { score, reasons: evidence.flatMap(({ reason }) => (reason === undefined ? [] : [reason])) };
}

/** A part is undefined if one of the two people lacks it, which says nothing. */
interface NameLikeness {
  given: Likeness | undefined;
  family: Likeness | undefined;
  isOtherGeneration: boolean;
}

const called = ({ given, otherGiven }: PersonName) => [...given.slice(0, 1), ...otherGiven];

function compareGiven(one: PersonName, other: PersonName): Likeness | undefined {
  if (called(one).length === 0 || called(other).length === 0) return undefined;
  const direct = compareAny(one.given.slice(0, 1), called(other));
  const back = compareAny(other.given.slice(0, 1), called(one));
  return Math.max(direct, back) as Likeness;
}

function compareFamily({ family }: PersonName, { family: other }: PersonName): Likeness | undefined {
  return family.length === 0 || other.length === 0 ? undefined : compareAny(family, other);
}

function compareInOrder(one: PersonName, other: PersonName): NameLikeness {
  return {
    given: compareGiven(one, other),
    family: compareFamily(one, other),
    isOtherGeneration: one.suffix !== other.suffix,
  };
}

const total = ({ given = DIFFERENT, family = DIFFERENT }: NameLikeness) => given + family;

/** Whether a part of the names is alike, and none is different. */
const areAlike = (likeness: NameLikeness) =>
  total(likeness) > DIFFERENT && likeness.given !== DIFFERENT && likeness.family !== DIFFERENT;

function comparePeople(one: PersonName, other: PersonName): NameLikeness {
  const inOrder = compareInOrder(one, other);
  const turned = compareInOrder(one, { ...other, given: other.family, family: other.given, otherGiven: [] });
  return areAlike(turned) && total(turned) > total(inOrder) ? turned : inOrder;
}

function compareWholes(one: readonly string[], other: readonly string[]): Likeness {
  const [few, many] = one.length <= other.length ? [one, other] : [other, one];
  const likenesses = few.map((word) => Math.max(...many.map((another) => compareWords(word, another))));
  if (likenesses.some((likeness) => likeness === DIFFERENT)) {
    return compareWords(one.join(''), other.join(''));
  }
  const isWhole = few.length === many.length && likenesses.every((likeness) => likeness === SAME);
  if (isWhole) return SAME;
  return many.length - few.length <= 1 && few.length > 1
    ? SIMILAR
    : few.length === many.length
      ? SIMILAR
      : DIFFERENT;
}

function compareNames({ names }: Profile, { names: others }: Profile): Likeness {
  let best: Likeness = DIFFERENT;
  for (const one of names)
    for (const other of others) {
      const likeness = compareWholes(one, other);
      if (likeness > best) best = likeness;
    }
  return best;
}

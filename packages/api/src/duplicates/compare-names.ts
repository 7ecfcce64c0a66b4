import type { PersonName, Profile } from './profile.ts';
import { compareAny, compareWords, DIFFERENT, type Likeness, SAME, SIMILAR } from './words.ts';

/** A part is undefined if one of the two people lacks it, which says nothing. */
export interface NameLikeness {
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
export const areAlike = (likeness: NameLikeness) =>
  total(likeness) > DIFFERENT && likeness.given !== DIFFERENT && likeness.family !== DIFFERENT;

export function comparePeople(one: PersonName, other: PersonName): NameLikeness {
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

export function compareNames({ names }: Profile, { names: others }: Profile): Likeness {
  let best: Likeness = DIFFERENT;
  for (const one of names)
    for (const other of others) {
      const likeness = compareWholes(one, other);
      if (likeness > best) best = likeness;
    }
  return best;
}

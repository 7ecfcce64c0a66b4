import { trimmedText } from '@roster/fields/text';

/** The parts of the name of a person. */
export interface NameParts {
  firstName: string | null;
  middleName: string | null;
  lastName: string | null;
}

/** Words that belong to the last name after them: `da Silva`, `van der Berg`. */
const particles = new Set('da das de del della den der di do dos du la le ten ter van von'.split(' '));

const isParticle = (word: string) => particles.has(word.toLowerCase());

/** First and middle names: the first word, and the others. */
function givenNames(words: readonly string[]): Pick<NameParts, 'firstName' | 'middleName'> {
  const [first = null, ...others] = words;
  return { firstName: first, middleName: others.join(' ') || null };
}

/**
 * Splits the name of a person: `DOE, JANE M` and `Jane M Doe` are first name Jane, middle name M, last name Doe. Without a comma the last
 * word is the last name, with the particles before it. One word alone is a first name.
 */
export function splitName(text: string): NameParts {
  const name = trimmedText(text);
  const comma = name.indexOf(',');
  const wordsOf = (part: string) => part.split(/\s+/).filter((word) => word !== '');
  if (comma >= 0)
    return {
      ...givenNames(wordsOf(name.slice(comma + 1))),
      lastName: trimmedText(name.slice(0, comma)) || null,
    };
  const words = wordsOf(name);
  let start = Math.max(words.length - 1, 1);
  while (start > 1 && isParticle(words[start - 1] ?? '')) start -= 1;
  return { ...givenNames(words.slice(0, start)), lastName: words.slice(start).join(' ') || null };
}

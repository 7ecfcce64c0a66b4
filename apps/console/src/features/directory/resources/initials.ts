import type { ResourceName } from '../../../api/contract/contracts.ts';
import { resources } from './index.ts';
import { type DirectoryRecord, nameOf } from './record.ts';

/** The first letters of the first and the last word of a name that begin with a letter; none of a name without letters. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map(
    (word = '') => Array.from(word)[0] ?? '',
  );
  return letters.join('').toLocaleUpperCase();
}

const HUES = 12;

/** One of a few hues, always the same for an id. Its lightness is that of the style, so that the letters can be read on all. */
export function hueOf(id: string): number {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) % 65_521;
  return (sum % HUES) * (360 / HUES);
}

export function avatarOf(resource: ResourceName, record: DirectoryRecord) {
  const initials = resources[resource].isPerson ? initialsOf(nameOf(record)) : '';
  return initials === ''
    ? undefined
    : { 'data-initials': initials, style: { '--hue': hueOf(record.id) } as object };
}

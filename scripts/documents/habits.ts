/** A habit of texts that need a second reading, and what to write instead. */
interface Habit {
  pattern: RegExp;
  instead: string;
}

/** The habits that no text for people has, wherever it is read. */
const everywhere: readonly Habit[] = [
  {
    pattern: /\banswers? (?:it|the|an?|its|with|how|\d+)\b|\b(?:is|are|was|were) answered\b/i,
    instead: 'returns',
  },
  { pattern: /\bthat (?:is|are|was|were) there\b/i, instead: 'existing' },
  { pattern: /\bRepeated, /, instead: 'Has no effect if …, or: Safe to retry.' },
  { pattern: /\b(?:does|do) not exist for\b/i, instead: 'your access is restricted' },
  { pattern: /\b(?:goes|go) on\b/i, instead: 'continues, resumes' },
  { pattern: /\bno \w+ more than\b/i, instead: 'at most' },
  { pattern: /\bbe it\b/i, instead: 'or' },
  { pattern: /\bof which\b/i, instead: 'a second sentence' },
  { pattern: /\b(?:whoever|nobody)\b/i, instead: 'anyone who, you' },
  { pattern: /\bbecomes? of\b/i, instead: 'happens to' },
  { pattern: /\bmakes? of\b/i, instead: 'turns into' },
  { pattern: /(?<!\blook )\balike\b/i, instead: 'and, both, similar' },
  { pattern: /\bone page of\b/i, instead: 'Lists …' },
  { pattern: /\bunless given\b/i, instead: 'Defaults to …' },
  { pattern: /\bmay be left out\b/i, instead: 'Optional …' },
  { pattern: /\ba caller\b|\bcallers\b|\bwho (?:is|are) limited\b/i, instead: 'you, your access' },
  { pattern: /\be-mails?\b/i, instead: 'email' },
  { pattern: /\btelephones?\b/i, instead: 'phone number' },
  { pattern: /\b(?:the|an|its|this|with|by|no|of|these) ids?\b/, instead: 'ID' },
  { pattern: /\blicense[sd]?\b/i, instead: 'licence' },
  { pattern: /\borganiz(?!ation, whose)/i, instead: 'organis…' },
];

/** The habits of the reference alone, where each text stands without a title. */
const ofReference: readonly Habit[] = [
  { pattern: /\b\w*n['’]t\b|\b\w+['’](?:re|ve|ll)\b/i, instead: 'no contraction in the reference' },
  { pattern: /^(?:What|Whose|How many|Why)\b/, instead: 'a noun: Number of …, Reason …' },
  { pattern: /^(?:It|They|Its|Their)\b/, instead: 'the noun, as no title is read with the text' },
];

/** The habits of the console and the command line alone. */
const ofDialogue: readonly Habit[] = [
  { pattern: /\b(?:cannot|could not|did not|does not|do not|is not|are not)\b/i, instead: 'a contraction' },
  { pattern: /^(?:Try again|Go on|Keep editing|Go on editing)$/, instead: 'Retry, Continue editing' },
];

/** Where a text is read. */
export type Place = 'reference' | 'dialogue' | 'page';

const ofPlace = { reference: ofReference, dialogue: ofDialogue, page: [] };

/** The text without what is printed as code, which keeps the names it has. */
const prose = (text: string) => text.replaceAll(/```[\s\S]*?```|`[^`\n]*`|\]\([^)\s]*\)|https?:\S+/g, '…');

/** The habits in a text, each as the words that were found and what to write instead. */
export function habitsIn(text: string, place: Place): string[] {
  return [...everywhere, ...ofPlace[place]].flatMap(({ pattern, instead }) => {
    const found = pattern.exec(prose(text));
    return found === null ? [] : [`“${found[0].trim()}” in “${text.slice(0, 120)}”: ${instead}`];
  });
}

/** The number of words of a text. */
export const wordsOf = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

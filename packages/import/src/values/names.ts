import { trimmedText } from '@roster/fields/text';

/** The parts of the name of a person. */
export interface NameParts {
  namePrefix?: string;
  firstName: string | null;
  middleName: string | null;
  lastName: string | null;
  nameSuffix?: string;
  designations?: string[];
}

/** A name that was split, and why the split may be wrong. */
export interface SplitName {
  parts: NameParts;
  doubt: string | undefined;
}

/*
 * The libraries for names (humanparser, parse-full-name) read "Ana dos Santos" as the last name Santos, "DOE,JANE" as one word and
 * companies as people, so these tables are ours. Words are compared without case, accents and dots.
 */

const words = (text: string) => new Set(text.split(' '));

/** Belong to the last name after them: `da Silva`, `van der Berg`. */
const particles = words(
  'af al ap ben bin bint da dal das de degli dei del della den der di do dos du e el la las le los lo san santa st ste ten ter van von vom y zu zum zur',
);

/** Come before a name. One of two letters needs its dot or a word after it, because it may be initials. */
const prefixes = words(
  'mr mrs ms miss mx dr dra prof profa professor professora sir dame madam madame rev reverend hon capt captain col lt sgt sr sra srta senhor senhora eng enga arq arqa don dona d exmo exma mme mlle monsieur herr frau',
);

/** Come after a name, and tell people of one name apart. */
const suffixes = words('jr sr snr jnr junior senior ii iii iv v vi filho neto sobrinho esq esquire');

/** Academic and professional titles after a name. */
const titles = words('phd md jd dds dvm mba ma ba bsc msc edd llb llm cpa pe rn obe mbe cbe kc qc');

/** Designations of the trade. */
const designations = words(
  'abr abrm ahwd alc amp ccim cips clhms cpm cre crb crs csp eco epro gaa gri green imsd mrp ncs pmn psa realtor rene resa rsps rspsc sfr sior sres srs srec',
);

/** Words that only companies have in their names. */
const companyWords = words(
  'llc llp lllp inc incorporated ltd ltda lda limited corp corporation co company plc gmbh ag bv nv sa sas sarl srl sl slu unipessoal realty realtors realestate properties property homes brokers brokerage group grupo team partners associates agency agencia imobiliaria imobiliario inmobiliaria inmobiliarias mediacao sociedade imoveis inmuebles holdings investments services solutions consulting trust bank office escritorio lettings estates',
);

/** Suffixes that are last names as often, unless a comma or a dot says otherwise. */
const surnames = words('v vi junior senior filho neto sobrinho ma ba pe ag e y green eco');

function bare(word: string): string {
  return word
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

const wordsOf = (part: string) => part.split(/\s+/).filter((word) => word !== '');

/** The meaning of the words behind a name; undefined if they are a part of it. */
function endingOf(word: string, isApart: boolean): 'suffix' | 'designation' | undefined {
  const name = bare(word);
  if (!isApart && surnames.has(name) && !word.includes('.')) return undefined;
  if (suffixes.has(name)) return 'suffix';
  if (designations.has(name)) return 'designation';
  return titles.has(name) ? 'suffix' : undefined;
}

/** Whether every word of a part behind a comma is an ending: `Jr.`, `CRS GRI`. */
const isEnding = (part: string) => {
  const all = wordsOf(part);
  return all.length > 0 && all.every((word) => endingOf(word, true) !== undefined);
};

/** Takes endings from the end of words, but never the last two words of a name. */
function takeEndings(all: string[], min: number): string[] {
  const taken: string[] = [];
  while (all.length > min && endingOf(all.at(-1) ?? '', false) !== undefined) taken.unshift(all.pop() ?? '');
  return taken;
}

/** Takes courtesy titles from the beginning of words. */
function takePrefixes(all: string[]): string[] {
  const taken: string[] = [];
  while (all.length > 1 && prefixes.has(bare(all[0] ?? '')) && !/^\p{Lu}$/u.test(all[0] ?? ''))
    taken.push(all.shift() ?? '');
  return taken;
}

/** First and middle names: the first word, and the others. */
function givenNames(all: readonly string[]): Pick<NameParts, 'firstName' | 'middleName'> {
  const [first = null, ...others] = all;
  return { firstName: first, middleName: others.join(' ') || null };
}

const isParticle = (word: string | undefined) =>
  particles.has(bare(word ?? '')) && !/^\p{L}\.$/u.test(word ?? '');

/** Divides the words of a name without a comma: the last word is the last name, with the particles before it. */
function byPlace(all: readonly string[]): NameParts {
  let start = Math.max(all.length - 1, 1);
  while (start > 1 && isParticle(all[start - 1])) start -= 1;
  // `e` and `y` join two last names: "García y Vega".
  if (start > 1 && /^[ey]$/i.test(all[start] ?? '')) start -= 1;
  return { ...givenNames(all.slice(0, start)), lastName: all.slice(start).join(' ') || null };
}

/** Why a text is perhaps not the name of one person; undefined for nothing of the kind. */
function doubtOf(text: string, parts: readonly string[]): string | undefined {
  const all = wordsOf(text.replaceAll(/[,()[\]{}/]/g, ' '));
  const company = all.find((word, index) => index > 0 && companyWords.has(bare(word)));
  if (company !== undefined) return `may be the name of a company, because of "${company}"`;
  if (/[&+/]|\S\s+(?:and|und|et)\s+\S/i.test(text)) return 'may be the names of two people';
  if (/[()[\]{}"“”«»]/.test(text)) return 'has a part in brackets or quotes';
  if (/\d/.test(text)) return 'has digits';
  if (parts.length > 2) return 'has more than one comma';
  return undefined;
}

/**
 * Splits the name of a person: `DOE, JANE M` and `Dr. Jane M Doe Jr.` have the first name Jane, the middle name M and the last name Doe.
 * Prefixes, suffixes and designations have fields of their own. One word alone is a first name. A name that may not be one person's is
 * split all the same, with a doubt.
 */
export function splitName(text: string): SplitName {
  const name = trimmedText(text);
  const given = name.split(/[,;]/).map((part) => part.trim());
  const endings: string[] = [];
  const parts = given.filter((part, index) => {
    if (index === 0 || !isEnding(part)) return true;
    endings.push(...wordsOf(part));
    return false;
  });
  const [before = '', after] = parts;
  const [first, second] = [wordsOf(before), wordsOf(after ?? '')];
  const isReversed = after !== undefined;
  const prefix = [...takePrefixes(first), ...takePrefixes(second)];
  const taken = [...takeEndings(first, isReversed ? 1 : 2), ...takeEndings(second, 1), ...endings];
  const split = isReversed ? { ...givenNames(second), lastName: first.join(' ') || null } : byPlace(first);
  const marks = taken.filter((word) => endingOf(word, true) === 'designation');
  const suffix = taken.filter((word) => endingOf(word, true) === 'suffix').join(' ');
  return {
    parts: {
      ...(prefix.length > 0 && { namePrefix: prefix.join(' ') }),
      ...split,
      ...(suffix !== '' && { nameSuffix: suffix }),
      ...(marks.length > 0 && { designations: marks.map((word) => word.replaceAll(/[^\p{L}\p{N}-]/gu, '')) }),
    },
    doubt: doubtOf(name, parts),
  };
}

import { trimmedText } from '@roster/fields/text';

/** The forms of days in cells. `iso` is `2027-12-31`. */
export type DateFormat = 'iso' | 'day-first' | 'month-first' | 'year-first';

/** A day as its three numbers. */
interface Day {
  year: number;
  month: number;
  day: number;
  /** Whether the year has two digits, and could be that of another century. */
  isDoubtful: boolean;
}

/** A time after a day, which does not matter. */
const time = /[T ] *\d{1,2}:\d{2}[\d:.,]* *(?:[ap]\.? ?m\.?)?(?:z| ?[+-]\d{2}:?\d{2})?$/i;

function bareWord(text: string): string {
  return text.normalize('NFD').replaceAll(/\P{L}/gu, '').toLowerCase();
}

/** The names of the months in English, Portuguese and Spanish, as words without accents. */
const monthNames: readonly [name: string, month: number][] = ['en', 'pt', 'es'].flatMap((language) =>
  Array.from({ length: 12 }, (_, index): [string, number] => {
    const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
    return [bareWord(format.format(Date.UTC(2026, index))), index + 1];
  }),
);

/** Finds a month by its name or the first letters of it, at least three; undefined for none, such as one of another language. */
function monthOf(text: string): number | undefined {
  const word = bareWord(text);
  return word.length < 3 ? undefined : monthNames.find(([name]) => name.startsWith(word))?.[1];
}

/** Whether days of a column lie behind today, such as the first day in a team, or on either side, such as the last one of a licence. */
export type Side = 'behind' | 'either';

/** The years before and after today in which a year of two digits is certain. */
const windows: Readonly<Record<Side, { before: number; after: number }>> = {
  behind: { before: 60, after: 0 },
  either: { before: 40, after: 30 },
};

/** The year of two digits that is nearest to today on its side, and whether it could be another. */
function fullYear(year: number, side: Side): { year: number; isDoubtful: boolean } {
  const today = new Date().getUTCFullYear();
  const { before, after } = windows[side];
  const years = [1900, 2000, 2100].map((century) => century + year);
  const within = years.find((one) => one >= today - before && one <= today + after);
  if (within !== undefined) return { year: within, isDoubtful: false };
  const possible = side === 'behind' ? years.filter((one) => one <= today) : years;
  const byDistance = possible.toSorted((one, other) => Math.abs(one - today) - Math.abs(other - today));
  return { year: byDistance[0] ?? year, isDoubtful: true };
}

function dayOf([year = '', month, day]: readonly (string | undefined)[], side: Side): Day {
  const numbers = { month: Number(month), day: Number(day) };
  if (year.length > 2) return { year: Number(year), isDoubtful: false, ...numbers };
  return { ...fullYear(Number(year), side), ...numbers };
}

/** Days that read only one way: `2027-12-31`, `20271231`, `31-Dec-2027`, `December 31, 2027`, `31 de dezembro de 2027`. */
function plainDay(text: string, side: Side): Day | undefined {
  const [, ...numbers] =
    /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})$/.exec(text) ??
    /^((?:19|20|21)\d{2})(\d{2})(\d{2})$/.exec(text) ??
    [];
  if (numbers.length > 0) return dayOf(numbers, side);
  const [, before, name = '', year] =
    /^(\d{1,2})(?:st|nd|rd|th|\.?º)?[\s./-]*(?:(?:of|de|del) )?(\p{L}{3,})\.?[\s./,-]*(?:(?:de|del) )?(\d{4}|\d{2})$/iu.exec(
      text,
    ) ?? [];
  const [, named = name, after, yearAfter] =
    /^(\p{L}{3,})\.?[\s./-]*(\d{1,2})(?:st|nd|rd|th)?,?[\s./-]+(\d{4}|\d{2})$/iu.exec(text) ?? [];
  const month = monthOf(named);
  return month === undefined ? undefined : dayOf([year ?? yearAfter, String(month), before ?? after], side);
}

/** Two numbers for the day and the month, in either order, and a year. */
function nationalDay(text: string): [first: string, second: string, year: string] | undefined {
  const [, first, second, year] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})$/.exec(text) ?? [];
  return first === undefined || second === undefined || year === undefined
    ? undefined
    : [first, second, year];
}

const isMonth = (value: number) => value >= 1 && value <= 12;
const isDay = (value: number) => value >= 1 && value <= 31;
const padded = (value: number, length: number) => String(value).padStart(length, '0');

/** The day in a text, in a format if that is needed to read it; undefined if there is none. */
function findDay(text: string, format: DateFormat | undefined, side: Side): Day | undefined {
  const bare = trimmedText(text).replace(time, '');
  const national = format === 'day-first' || format === 'month-first' ? nationalDay(bare) : undefined;
  const [first, second, year] = national ?? [];
  const parts = format === 'day-first' ? [year, second, first] : [year, first, second];
  const found = national === undefined ? plainDay(bare, side) : dayOf(parts, side);
  return found !== undefined && isMonth(found.month) && isDay(found.day) ? found : undefined;
}

/**
 * A day as the service takes it: `2027-12-31`. What is no day in that format stays as it is, and is rejected by the service: a day that
 * reads two ways is never guessed.
 *
 * @param format how the days are written that could be read two ways; undefined if you have not said it
 */
export function toIsoDay(text: string, format: DateFormat | undefined, side: Side = 'either'): string {
  const found = findDay(text, format, side);
  if (found === undefined) return text;
  return `${padded(found.year, 4)}-${padded(found.month, 2)}-${padded(found.day, 2)}`;
}

/** The year that was guessed of a day whose year has two digits and could be that of another century; undefined for any other day. */
export function guessedYear(
  text: string,
  format: DateFormat | undefined,
  side: Side = 'either',
): number | undefined {
  const found = findDay(text, format, side);
  return found?.isDoubtful ? found.year : undefined;
}

/** The format of the days of a column, as far as the column says it. */
export interface DateReading {
  /** Undefined if none is a day. In doubt it is a suggestion. */
  format: DateFormat | undefined;
  /** `ambiguous`: every day could be read both ways. `contradictory`: some can only be day-first, others only month-first. */
  doubt: 'ambiguous' | 'contradictory' | null;
}

/** Finds out how the days of a column are written. `suggested` is the order of the country, for days that could be read both ways. */
export function readDates(texts: readonly string[], suggested: 'day-first' | 'month-first'): DateReading {
  const bare = texts.map((text) => trimmedText(text).replace(time, ''));
  const nationals = bare.flatMap((text) => {
    const [first, second] = nationalDay(text) ?? [];
    return first === undefined ? [] : [[Number(first), Number(second)] as const];
  });
  if (nationals.length === 0) {
    const isAny = bare.some((text) => plainDay(text, 'either') !== undefined);
    return { format: isAny ? 'iso' : undefined, doubt: null };
  }
  const needsDayFirst = nationals.some(([first]) => !isMonth(first));
  const needsMonthFirst = nationals.some(([, second]) => !isMonth(second));
  if (needsDayFirst === needsMonthFirst)
    return { format: suggested, doubt: needsDayFirst ? 'contradictory' : 'ambiguous' };
  return { format: needsDayFirst ? 'day-first' : 'month-first', doubt: null };
}

/** The order of day and month in the days of a country. */
export function dateOrderOf(country: string | undefined): 'day-first' | 'month-first' {
  if (country === undefined) return 'day-first';
  const language = new Intl.Locale(`und-${country}`).maximize().language;
  const parts = new Intl.DateTimeFormat(`${language}-${country}`, {
    day: 'numeric',
    month: 'numeric',
  }).formatToParts(0);
  const order = parts.map(({ type }) => type).filter((type) => type === 'day' || type === 'month');
  return order[0] === 'month' && language === 'en' ? 'month-first' : 'day-first';
}

import { trimmedText } from '@roster/fields/text';

/** The forms of days in cells. `iso` is `2027-12-31`. */
export type DateFormat = 'iso' | 'day-first' | 'month-first' | 'year-first';

/** A day as its three numbers. */
interface Day {
  year: number;
  month: number;
  day: number;
}

/** A time after a day, which does not matter. */
const time = /[T ] *\d{1,2}:\d{2}[\d:.,]* *(?:[ap]\.? ?m\.?)?(?:z| ?[+-]\d{2}:?\d{2})?$/i;

/** The months by the beginnings of their names in the languages of the console. */
const months = new Map(
  ['en', 'pt'].flatMap((language) =>
    Array.from({ length: 12 }, (_, index): [string, number] => {
      const name = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(
        Date.UTC(2026, index),
      );
      return [bareWord(name).slice(0, 3), index + 1];
    }),
  ),
);

function bareWord(text: string): string {
  return text.normalize('NFD').replaceAll(/\P{L}/gu, '').toLowerCase();
}

/** Whether days of a column lie behind, such as the first day in a team, or ahead, such as the last one of a licence. */
export type Side = 'behind' | 'ahead';

/** A year of two digits, in the century that puts it on its side of today. */
function fullYear(year: number, side: Side): number {
  if (year >= 100) return year;
  return side === 'behind' && year > new Date().getUTCFullYear() % 100 ? 1_900 + year : 2_000 + year;
}

const dayOf = ([year, month, day]: readonly (string | undefined)[], side: Side): Day => {
  return { year: fullYear(Number(year), side), month: Number(month), day: Number(day) };
};

/** Days that read only one way: `2027-12-31`, `20271231`, `31-Dec-2027`, `December 31, 2027`, `31 de dezembro de 2027`. */
function plainDay(text: string, side: Side): Day | undefined {
  const [, ...numbers] =
    /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})$/.exec(text) ??
    /^((?:19|20|21)\d{2})(\d{2})(\d{2})$/.exec(text) ??
    [];
  if (numbers.length > 0) return dayOf(numbers, side);
  const [, before, name = '', year] =
    /^(\d{1,2})[\s./-]+(?:de )?(\p{L}{3,})\.?[\s./,-]+(?:de )?(\d{4}|\d{2})$/iu.exec(text) ?? [];
  const [, named = name, after, yearAfter] =
    /^(\p{L}{3,})\.?[\s.-]+(\d{1,2})(?:st|nd|rd|th)?,?[\s.-]+(\d{4}|\d{2})$/iu.exec(text) ?? [];
  const month = months.get(bareWord(named).slice(0, 3));
  return month === undefined ? undefined : dayOf([year ?? yearAfter, String(month), before ?? after], side);
}

/** Two numbers, of which one is the day and one the month, and a year. */
function nationalDay(text: string): [first: string, second: string, year: string] | undefined {
  const [, first, second, year] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})$/.exec(text) ?? [];
  return first === undefined || second === undefined || year === undefined
    ? undefined
    : [first, second, year];
}

const isMonth = (value: number) => value >= 1 && value <= 12;
const isDay = (value: number) => value >= 1 && value <= 31;
const padded = (value: number, length: number) => String(value).padStart(length, '0');

/**
 * A day as the service takes it: `2027-12-31`. What is no day in that format stays as it is, and is rejected by the service: a day that
 * reads two ways is never guessed.
 *
 * @param format how the days are written that could be read two ways; undefined if nobody has said it
 */
export function toIsoDay(text: string, format: DateFormat | undefined, side: Side = 'ahead'): string {
  const bare = trimmedText(text).replace(time, '');
  const national = format === 'day-first' || format === 'month-first' ? nationalDay(bare) : undefined;
  const [first, second, year] = national ?? [];
  const parts = format === 'day-first' ? [year, second, first] : [year, first, second];
  const found = national === undefined ? plainDay(bare, side) : dayOf(parts, side);
  if (found === undefined || !isMonth(found.month) || !isDay(found.day)) return text;
  return `${padded(found.year, 4)}-${padded(found.month, 2)}-${padded(found.day, 2)}`;
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
    const isAny = bare.some((text) => plainDay(text, 'ahead') !== undefined);
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

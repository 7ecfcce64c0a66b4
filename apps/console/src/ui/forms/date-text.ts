import { folded } from '../folded.ts';

const DAY_MS = 86_400_000;

/** A day without a time (`2026-11-30`) as a number of days, so that they can be counted. */
export const dayNumberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

export const dayOfNumber = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** Today in the time zone of the browser. */
export function today(now = new Date()): string {
  return dayOfNumber(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / DAY_MS);
}

function dayOf(year: number, month: number, date: number): string | undefined {
  const number = Date.UTC(year, month - 1, date) / DAY_MS;
  const found = new Date(number * DAY_MS);
  const isReal = found.getUTCMonth() === month - 1 && found.getUTCDate() === date;
  return isReal && year >= 1 && year <= 9_999 ? dayOfNumber(number) : undefined;
}

const foldedMonth = (word: string) => folded(word).replaceAll('.', '');

function monthIn(words: readonly string[], locale: string): number | undefined {
  const names = (['short', 'long'] as const).map((month) => {
    const format = new Intl.DateTimeFormat(locale, { month, day: 'numeric', timeZone: 'UTC' });
    return Array.from({ length: 12 }, (_, at) =>
      format.formatToParts(Date.UTC(2026, at, 1)).find(({ type }) => type === 'month'),
    ).map((part) => foldedMonth(part?.value ?? ''));
  });
  const months = names.flatMap((all) => words.map((word) => all.indexOf(word)));
  const at = months.find((one) => one >= 0);
  return at === undefined ? undefined : at + 1;
}

const centuryOf = (year: number) => (year < 100 ? 2_000 + year : year);

/**
 * The day that a text means: `2026-11-30`, the numbers in the order of the locale, or a day with the name of its month. Undefined if it
 * means none.
 */
export function parseDay(text: string, locale: string): string | undefined {
  const [, isoYear, isoMonth, isoDate] = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$/.exec(text) ?? [];
  if (isoYear !== undefined) return dayOf(Number(isoYear), Number(isoMonth), Number(isoDate));
  const numbers = (text.match(/\d+/g) ?? []).map(Number);
  const month = monthIn(foldedMonth(text).split(/[^\p{L}]+/u), locale);
  if (month !== undefined && numbers.length === 2) {
    const [first = 0, second = 0] = numbers;
    return first > 31 ? dayOf(first, month, second) : dayOf(centuryOf(second), month, first);
  }
  if (numbers.length !== 3) return undefined;
  const order = new Intl.DateTimeFormat(locale).formatToParts(0).map(({ type }) => type);
  const values = (['day', 'month', 'year'] as const)
    .map((type) => ({ type, at: order.indexOf(type) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ type }, at) => [type, numbers[at] ?? 0] as const);
  const { day = 0, month: numbered = 0, year = 0 } = Object.fromEntries(values);
  return dayOf(centuryOf(year), numbered, day);
}

/** Whether a text is a day such as `2026-11-30`, and not something else that someone wrote. */
export const isDay = (text: string): boolean => parseDay(text, 'en') === text;

/** The first day of the week where the locale is used: 1 for Monday to 7 for Sunday. */
export function firstWeekday(locale: string): number {
  const known = new Intl.Locale(locale);
  return 'getWeekInfo' in known && typeof known.getWeekInfo === 'function' ? known.getWeekInfo().firstDay : 1;
}

/** The days of the weeks in which a month is, beginning with the first day of a week. */
export function daysOfMonth(month: string, first: number): string[] {
  const start = dayNumberOf(`${month}-01`);
  // 1 January 1970 was a Thursday.
  const weekday = (number: number) => ((((number + 3) % 7) + 7) % 7) + 1;
  const begin = start - ((weekday(start) - first + 7) % 7);
  return Array.from({ length: 42 }, (_, at) => dayOfNumber(begin + at));
}

/** The same day some months later; the last one of a month that is shorter. */
export function addMonths(day: string, months: number): string {
  const date = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  const wanted = Math.min(Number(day.slice(8)), last);
  return `${date.toISOString().slice(0, 8)}${String(wanted).padStart(2, '0')}`;
}

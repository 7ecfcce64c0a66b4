const units = [
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** The units of more than a day, each from a number of days on at which it is at least two: "in 1 month" says less than "in 5 weeks". */
const longUnits = [
  ['year', 365.25, 731],
  ['month', 30.44, 63],
  ['week', 7, 14],
] as const;

/** The formats by their language: to make one is most of the work of using it once. */
const relativeFormats: Record<string, Intl.RelativeTimeFormat> = {};

export function relativeFormat(locale: string): Intl.RelativeTimeFormat {
  relativeFormats[locale] ??= new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return relativeFormats[locale];
}

function dayNumber(time: Date, isUtc: boolean): number {
  const [year, month, date] = isUtc
    ? [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()]
    : [time.getFullYear(), time.getMonth(), time.getDate()];
  return Date.UTC(year, month, date) / 86_400_000;
}

/** "3 hours ago", "in 2 days" or "in 5 weeks" in the language of the page. "Tomorrow" is the next day of the calendar. */
export function relativeTime(
  time: Date,
  { locale, isUtc }: { locale: string; isUtc: boolean },
  now = new Date(),
): string {
  const seconds = (time.getTime() - now.getTime()) / 1_000;
  const format = relativeFormat(locale);
  if (Math.abs(seconds) >= 86_400) {
    const days = dayNumber(time, isUtc) - dayNumber(now, isUtc);
    const [unit, length] = longUnits.find(([, , from]) => Math.abs(days) >= from) ?? ['day', 1];
    return format.format(Math.trunc(days / length), unit);
  }
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
  }
  return format.format(Math.trunc(seconds), 'second');
}

/** The days from today until a day (`2026-12-31`), in the time zone of the browser; negative if it has passed. */
export function daysUntil(day: string, now = new Date()): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return Date.UTC(year, month - 1, date) / 86_400_000 - dayNumber(now, false);
}

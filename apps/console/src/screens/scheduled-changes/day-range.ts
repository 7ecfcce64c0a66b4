/** The times at which a day of the browser's time zone (`2026-12-31`) begins and ends. */
export function timesOfDay(day: string): { since: string; before: string } {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  // Not 24 hours later: a day on which the clocks change has 23 or 25.
  return {
    since: new Date(year, month - 1, date).toISOString(),
    before: new Date(year, month - 1, date + 1).toISOString(),
  };
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** The day on which a time is in the browser's time zone; an empty text if it is none. */
export function dayOf(time: string | undefined): string {
  const date = new Date(time ?? '');
  if (Number.isNaN(date.getTime())) return '';
  const year = String(date.getFullYear()).padStart(4, '0');
  return `${year}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** The last day before a time: that of `before` of a range of days. */
export function dayBefore(time: string | undefined): string {
  const date = new Date(time ?? '');
  return Number.isNaN(date.getTime()) ? '' : dayOf(new Date(date.getTime() - 1).toISOString());
}

/** A time as a control of the type `datetime-local` has it, in the time zone of the browser; an empty text if it is none. */
export function localTimeOf(time: string | number | undefined): string {
  const date = new Date(time ?? '');
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function localDayOf(time: string | number | undefined): string {
  return localTimeOf(time).slice(0, 10);
}

/** The last day before a time: that of `before` of a range of days. */
export function dayBefore(time: string | undefined): string {
  return localDayOf(Date.parse(time ?? '') - 1);
}

export function timesOfDay(day: string): { since: string; before: string } {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  // Not 24 hours later: a day on which the clocks change has 23 or 25.
  return {
    since: new Date(year, month - 1, date).toISOString(),
    before: new Date(year, month - 1, date + 1).toISOString(),
  };
}

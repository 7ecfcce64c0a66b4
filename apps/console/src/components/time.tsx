import { useLingui } from '@lingui/react/macro';

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** "3 hours ago" or "in 2 days" in the language of the page. */
export function relativeTime(time: Date, locale: string, now = new Date()): string {
  const seconds = (time.getTime() - now.getTime()) / 1_000;
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
  }
  return format.format(Math.trunc(seconds), 'second');
}

/** The days from today until a day (`2026-12-31`), in the time zone of the browser; negative if it has passed. */
export function daysUntil(day: string, now = new Date()): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return Math.round((Date.UTC(year, month - 1, date) - today) / 86_400_000);
}

/** A time, relative to now; the exact one is its tooltip. */
export function RelativeTime({ time }: { time: string }) {
  const { i18n } = useLingui();
  const date = new Date(time);
  const exact = i18n.date(date, { dateStyle: 'full', timeStyle: 'medium' });
  return (
    <time dateTime={time} title={exact}>
      {relativeTime(date, i18n.locale)}
    </time>
  );
}

/** A time as date and time of day, in the time zone of the browser. */
export function ExactTime({ time }: { time: string }) {
  const { i18n } = useLingui();
  return (
    <time dateTime={time}>{i18n.date(new Date(time), { dateStyle: 'medium', timeStyle: 'short' })}</time>
  );
}

/** A day without a time. */
export function Day({ day }: { day: string }) {
  const { i18n } = useLingui();
  return (
    <time dateTime={day}>
      {i18n.date(new Date(`${day}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' })}
    </time>
  );
}

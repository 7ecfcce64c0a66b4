'use no memo';

import type { I18n } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { preferences, usePreferences } from './browser/preferences.ts';
import { hint } from './page.tsx';
import { daysUntil, relativeFormat, relativeTime } from './relative-time.ts';

export function useTimeZone(): string | undefined {
  return usePreferences().timeZone === 'UTC' ? 'UTC' : undefined;
}

export function timeText(i18n: I18n, time: string): string {
  const isUtc = preferences().timeZone === 'UTC';
  const shown = i18n.date(new Date(time), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: isUtc ? 'UTC' : undefined,
  });
  return isUtc ? `${shown} UTC` : shown;
}

/** "3 hours ago" or "in 2 days"; days are those of the time zone of the browser or of UTC, as the reader prefers. */
export const relativeText = (i18n: I18n, time: string): string =>
  relativeTime(new Date(time), { locale: i18n.locale, isUtc: preferences().timeZone === 'UTC' });

/**
 * A time, relative to now; the exact one is its tooltip. Tab stops at it unless `isStop` is false, as it is in a control and beside the
 * exact time.
 */
export function RelativeTime({ time, isStop = true }: { time: string; isStop?: boolean }) {
  const { i18n } = useLingui();
  const timeZone = useTimeZone();
  const exact = i18n.date(new Date(time), { dateStyle: 'full', timeStyle: 'medium', timeZone });
  return (
    <time dateTime={time} className="relative" {...(isStop ? hint(exact) : { 'data-tooltip': exact })}>
      {relativeText(i18n, time)}
    </time>
  );
}

/** A time as `timeText` has it, but the day alone for its first moment: that of a change that is scheduled for a day. */
export function momentText(i18n: I18n, time: string): string {
  const date = new Date(time);
  const isUtc = preferences().timeZone === 'UTC';
  const isStartOfDay = isUtc ? date.getTime() % 86_400_000 === 0 : date.getHours() + date.getMinutes() === 0;
  if (!isStartOfDay) return timeText(i18n, time);
  return i18n.date(date, { dateStyle: 'medium', timeZone: isUtc ? 'UTC' : undefined });
}

export function Moment({ time }: { time: string }) {
  const { i18n } = useLingui();
  usePreferences();
  return <time dateTime={time}>{momentText(i18n, time)}</time>;
}

export function ExactTime({ time }: { time: string }) {
  const { i18n } = useLingui();
  usePreferences();
  return <time dateTime={time}>{timeText(i18n, time)}</time>;
}

export const dayText = (i18n: I18n, day: string): string =>
  i18n.date(new Date(`${day}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' });

/** A day within 60 days as what is left, such as "in 12 days", with the date as its tooltip; others as a date. */
export function NearDay({ day }: { day: string }) {
  const { i18n } = useLingui();
  const days = daysUntil(day);
  if (Math.abs(days) > 60) return <Day day={day} />;
  const format = relativeFormat(i18n.locale);
  return (
    <time dateTime={day} data-tooltip={dayText(i18n, day)}>
      {format.format(days, 'day')}
    </time>
  );
}

export function Day({ day }: { day: string }) {
  const { i18n } = useLingui();
  return <time dateTime={day}>{dayText(i18n, day)}</time>;
}

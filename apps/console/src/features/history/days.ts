import type { I18n } from '@lingui/core';
import { relativeFormat } from '../../ui/relative-time.ts';

const DAY_MS = 86_400_000;
/** Days of the last weeks have their weekday; it says nothing about others. */
const WEEKDAY_DAYS = 60;

interface Zoned {
  i18n: I18n;
  timeZone: string | undefined;
}

const dayKey = (time: Date, timeZone: string | undefined) => time.toLocaleDateString('en-CA', { timeZone });

/** The heading of the changes of a day: "Today", "Yesterday", "Monday 9 November" or "2 March 2026". */
export function dayHeading({ i18n, timeZone }: Zoned, time: string, now = new Date()): string {
  const date = new Date(time);
  const [day, today] = [date, now].map((one) => Date.parse(dayKey(one, timeZone)));
  const ago = ((today ?? 0) - (day ?? 0)) / DAY_MS;
  if (ago === 0 || ago === 1) {
    const text = relativeFormat(i18n.locale).format(-ago, 'day');
    return text.charAt(0).toLocaleUpperCase(i18n.locale) + text.slice(1);
  }
  return ago > 0 && ago < WEEKDAY_DAYS
    ? i18n.date(date, { weekday: 'long', day: 'numeric', month: 'long', timeZone })
    : i18n.date(date, { day: 'numeric', month: 'long', year: 'numeric', timeZone });
}

/** Groups what has a time by its day, in the order in which it is given. */
export function groupByDay<Item extends { occurredAt: string }>(
  all: readonly Item[],
  zoned: Zoned,
): { day: string; items: Item[] }[] {
  const days = Map.groupBy(all, ({ occurredAt }) => dayHeading(zoned, occurredAt));
  return [...days].map(([day, items]) => ({ day, items }));
}

import { z } from 'zod';
import { Time } from './schemas.ts';

/**
 * Times and days of filters relative to the request: an ISO 8601 duration, which may be negative. `P60D` is
 * 60 days ahead, `-P30D` 30 days ago. A stored filter (view, link, cursor, job) keeps the duration.
 */
const DAYS = '(?:(\\d{1,4})Y)?(?:(\\d{1,4})M)?(?:(\\d{1,4})W)?(?:(\\d{1,5})D)?';
const DAY_DURATION = `^(-?)P(?=\\d)${DAYS}$`;
const DURATION = `^(-?)P(?=\\d|T\\d)${DAYS}(?:T(?=\\d)(?:(\\d{1,5})H)?(?:(\\d{1,5})M)?(?:(\\d{1,5})S)?)?$`;

const durations = { date: new RegExp(DAY_DURATION), 'date-time': new RegExp(DURATION) };
type Format = keyof typeof durations;

/** In UTC. A day beyond the end of the month becomes its last day. */
function addMonths(from: Date, months: number): Date {
  const first = new Date(from);
  first.setUTCDate(1);
  first.setUTCMonth(first.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return first;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Undefined if the value is no duration of the format. Invalid beyond the range of Date. */
function timeAfter(now: Date, value: string, format: Format): Date | undefined {
  const found = durations[format].exec(value);
  if (found === null) return undefined;
  const [years, months, weeks, days, hours, minutes, seconds] = found
    .slice(2)
    .map((digits) => Number(digits ?? 0) * (found[1] === '-' ? -1 : 1));
  const month = addMonths(now, (years ?? 0) * 12 + (months ?? 0));
  const timeMs = (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1_000;
  return new Date(month.getTime() + ((weeks ?? 0) * 7 + (days ?? 0)) * DAY_MS + timeMs);
}

/** The time of a filter value in RFC 3339. A duration counts from `now`. */
export function timeAt(value: string, now: Date): string {
  return timeAfter(now, value, 'date-time')?.toISOString() ?? value;
}

export function dayAt(value: string, now: Date): string {
  return timeAfter(now, value, 'date')?.toISOString().slice(0, 10) ?? value;
}

const expected = {
  date: 'must be a day such as 2026-01-31, or a duration from today such as P60D or -P30D',
  'date-time':
    'must be an RFC 3339 time such as 2026-01-31T08:00:00Z, or a duration from now such as P60D or -PT12H',
};
const docs = {
  date: 'YYYY-MM-DD, or a duration from today in UTC such as `P60D`',
  'date-time': 'RFC 3339, or a duration from now such as `-PT12H`',
};

/** Whether both PostgreSQL and RFC 3339 can represent a time. */
const isKnown = (time: Date) =>
  Time.safeParse(Number.isNaN(time.getTime()) ? '' : time.toISOString()).success;

function problemOf(value: string, format: Format, absolute: z.ZodType<string>) {
  const time = timeAfter(new Date(), value, format);
  if (time !== undefined) return isKnown(time) ? undefined : { code: 'out_of_range', message: OUT_OF_RANGE };
  const [issue] = absolute.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return undefined;
  return issue.code === 'custom'
    ? { code: String(issue.params?.code), message: issue.message }
    : { code: 'invalid_format', message: expected[format] };
}

const OUT_OF_RANGE = 'must lead to a time of the years 1 to 9999';

function absoluteOrRelative(
  format: Format,
  absolute: z.ZodType<string>,
  description: string,
  example: string,
) {
  return z
    .string()
    .check(({ value: input, issues }) => {
      const problem = problemOf(input, format, absolute);
      if (problem === undefined) return;
      const { code, message } = problem;
      issues.push({ code: 'custom', input, message, params: { code } });
    })
    .meta({
      description: `${description} (${docs[format]})`,
      example,
      anyOf: [
        { type: 'string', format },
        { type: 'string', pattern: durations[format].source },
      ],
    });
}

export function timeFilter(description: string) {
  return absoluteOrRelative('date-time', Time, description, '2026-01-31T08:00:00Z').optional();
}

export function dayFilter(description: string) {
  return absoluteOrRelative('date', z.iso.date(), description, '2027-01-31').optional();
}

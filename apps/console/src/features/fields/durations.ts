import type { I18n } from '@lingui/core';
import { relativeFormat } from '../../ui/relative-time.ts';

/** The days of a filter's value that counts days from now, such as `P60D` or `-P30D`; undefined for any other value. */
export function daysFromNow(value: string | undefined): number | undefined {
  const found = /^(-?)P(\d{1,5})D$/.exec(value ?? '');
  return found === null ? undefined : Number(`${found[1]}${found[2]}`);
}

export const durationOfDays = (days: number): string => `${days < 0 ? '-' : ''}P${Math.abs(days)}D`;

/** Whether a filter's value is a duration, which counts from the moment of each request. */
export const isDuration = (value: string): boolean => /^-?P/.test(value);

const units: Readonly<Record<string, Intl.RelativeTimeFormatUnit>> = {
  Y: 'year',
  M: 'month',
  W: 'week',
  D: 'day',
  TH: 'hour',
  TM: 'minute',
  TS: 'second',
};

/** A duration in words, "in 60 days" or "yesterday"; as it is if it has several parts. */
export function durationText(i18n: I18n, value: string): string {
  const [, sign, time = '', number, unit] = /^(-?)P(T?)(\d+)([YMWDHS])$/.exec(value) ?? [];
  const named = units[`${time}${unit}`];
  if (named === undefined) return value;
  const format = relativeFormat(i18n.locale);
  return format.format(Number(`${sign}${number}`), named);
}

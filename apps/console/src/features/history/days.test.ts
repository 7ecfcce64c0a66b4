import { setupI18n } from '@lingui/core';
import { expect, it } from 'vitest';
import { dayHeading } from './days.ts';

const now = new Date('2026-11-27T15:00:00Z');

it.each([
  ['en-GB', '2026-11-27T14:32:00Z', 'Today'],
  ['en-GB', '2026-11-26T17:48:00Z', 'Yesterday'],
  ['en-GB', '2026-11-09T08:00:00Z', 'Monday 9 November'],
  ['en-GB', '2026-03-02T10:05:00Z', '2 March 2026'],
  ['pt', '2026-11-26T17:48:00Z', 'Ontem'],
])('in %s the changes of %s are under the heading %s', (locale, time, heading) => {
  const i18n = setupI18n({ locale, messages: { [locale]: {} } });
  expect(dayHeading({ i18n, timeZone: 'UTC' }, time, now)).toBe(heading);
});

import { expect, it } from 'vitest';
import { bytesText, durationText, millisecondsText } from './quantity.ts';

it.each([
  [0, '0 seconds'],
  [59.9, '59 seconds'],
  [3_600, '1 hour'],
  [200_000, '2 days'],
])('%s seconds are %s', (seconds, text) => {
  expect(durationText(seconds, 'en')).toBe(text);
});

it.each([
  [0, '0 byte'],
  [999, '999 byte'],
  [52_428_800, '52.4 MB'],
  [3e15, '3,000 TB'],
])('%s bytes are %s', (bytes, text) => {
  expect(bytesText(bytes, 'en')).toBe(text);
});

it('quantities are in the language of the page', () => {
  expect([durationText(120, 'pt'), millisecondsText(1_200, 'en')]).toEqual(['2 minutos', '1,200 ms']);
});

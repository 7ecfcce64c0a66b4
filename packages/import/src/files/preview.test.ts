import { describe, expect, it } from 'vitest';
import { readChoice } from '../values/choices.ts';
import { guessDateFormat, toIsoDay } from '../values/days.ts';
import { readTable } from './preview.ts';

describe('the columns of a file', () => {
  it('leave out a last row that the beginning of the file cuts', async () => {
    const options = { format: 'csv', delimiter: ',', isCut: true } as const;
    expect((await readTable(Buffer.from('a,b\n1,2\n3'), options)).rows).toEqual([['1', '2']]);
  });
});

it('the format of days is found by a number that no month has, and the day is first if there is none', () => {
  expect(guessDateFormat(['2027-12-31', '2028-01-31'])).toBe('iso');
  expect(guessDateFormat(['05/06/2027', '31/12/2027'])).toBe('day-first');
  expect(guessDateFormat(['05/06/2027', '12/31/2027'])).toBe('month-first');
  expect(guessDateFormat(['2027-12-31', '5.6.2027'])).toBe('day-first');
  expect(guessDateFormat(['2027/6/5'])).toBe('year-first');
  expect(guessDateFormat(['soon', ''])).toBeUndefined();
});

it('a day is written as the service takes it, and what is none stays for its error', () => {
  expect(toIsoDay('5/6/2027', 'day-first')).toBe('2027-06-05');
  expect(toIsoDay('5/6/2027', 'month-first')).toBe('2027-05-06');
  expect(toIsoDay('31.12.27', 'day-first')).toBe('2027-12-31');
  expect(toIsoDay('2027-12-31', 'day-first')).toBe('2027-12-31');
  expect(toIsoDay('2027/6/5 00:00:00', 'year-first')).toBe('2027-06-05');
  expect(toIsoDay('12/31/2027', 'day-first')).toBe('12/31/2027');
});

it('a word for a choice is read as that choice, and any other as the name of one', () => {
  const states = ['active', 'inactive'];
  expect(['Ativo', 'ACTIVE', 'Inativa', 'On leave'].map((text) => readChoice(text, states))).toEqual([
    ...['active', 'active', 'inactive', 'on_leave'],
  ]);
  expect(readChoice('Stand Alone', ['main', 'stand_alone'])).toBe('stand_alone');
});

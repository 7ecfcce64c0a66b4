import { toIsoDay } from '@roster/import';
import { expect, it } from 'vitest';
import type { Mapping, SurveyedColumn } from './types.ts';
import { guessDateFormat, guessValues, openColumns, reviewedCell } from './values.ts';

const mapping: Mapping = { fields: {}, sourceName: '', keyColumn: '', values: {}, dateFormats: {} };

function column(kind: 'choice' | 'date', field: string, ...values: string[]): SurveyedColumn {
  return { header: 'Column', field, kind, values: values.map((value) => [value, 1]), isCut: false };
}

it('the format of dates is found by a number that no month has, and the day is first if there is none', () => {
  expect(guessDateFormat(['2027-12-31', '2028-01-31'])).toBe('iso');
  expect(guessDateFormat(['05/06/2027', '31/12/2027'])).toBe('day-first');
  expect(guessDateFormat(['05/06/2027', '12/31/2027'])).toBe('month-first');
  expect(guessDateFormat(['5.6.2027'])).toBe('day-first');
  expect(guessDateFormat(['2027/6/5'])).toBe('year-first');
  expect(guessDateFormat(['soon', ''])).toBe('iso');
});

it('a day is written as the service takes it, and what is none stays for its error', () => {
  expect(toIsoDay('5/6/2027', 'day-first')).toBe('2027-06-05');
  expect(toIsoDay('5/6/2027', 'month-first')).toBe('2027-05-06');
  expect(toIsoDay('31.12.27', 'day-first')).toBe('2027-12-31');
  expect(toIsoDay('2027/6/5 00:00:00', 'year-first')).toBe('2027-06-05');
  expect(toIsoDay('12/31/2027', 'day-first')).toBe('12/31/2027');
  expect(toIsoDay('never', 'day-first')).toBe('never');
  expect(toIsoDay('5/6/2027', 'iso')).toBe('5/6/2027');
});

it('a value that stands for a choice is found, and one that is not known is open', () => {
  const survey = [column('choice', 'status', 'Active', 'Ativo', 'On leave')];
  const guessed = guessValues('agents', mapping, survey);
  expect(guessed.values).toEqual({ Column: { Active: 'active', Ativo: 'active' } });
  expect(openColumns('agents', guessed, survey)).toEqual(survey);
  expect(openColumns('agents', guessed, [column('choice', 'status', 'Active')])).toEqual([]);
  expect(reviewedCell(' Ativo ', 'Column', guessed)).toBe('active');
  expect(reviewedCell('On leave', 'Column', guessed)).toBe('On leave');
});

it('what someone said of a value stays when the file is read again', () => {
  const said = { ...mapping, values: { Column: { Ativo: 'inactive' } } };
  expect(guessValues('agents', said, [column('choice', 'status', 'Ativo')]).values.Column).toEqual({
    Ativo: 'inactive',
  });
});

import { describe, expect, it } from 'vitest';
import { readChoice } from '../values/choices.ts';
import { dateOrderOf, guessedYear, readDates, toIsoDay } from '../values/days.ts';
import { readTable } from './preview.ts';

describe('the columns of a file', () => {
  it('leave out a last row that the beginning of the file cuts', async () => {
    const options = { format: 'csv', delimiter: ',', isCut: true } as const;
    expect((await readTable(Buffer.from('a,b\n1,2\n3'), options)).rows).toEqual([['1', '2']]);
  });
});

describe('the days of a column', () => {
  it('are in the format that a number above 12 says, and in doubt if none does or two disagree', () => {
    const read = (...texts: string[]) => readDates(texts, 'month-first');
    expect(read('2027-12-31', '20280131', '31-Dec-2027')).toEqual({ format: 'iso', doubt: null });
    expect(read('05/06/2027', '31/12/2027')).toEqual({ format: 'day-first', doubt: null });
    expect(read('05/06/2027', '12/31/2027')).toEqual({ format: 'month-first', doubt: null });
    expect(read('05/06/2027', '03/04/2027')).toEqual({ format: 'month-first', doubt: 'ambiguous' });
    expect(read('31/12/2027', '12/31/2027')).toEqual({ format: 'month-first', doubt: 'contradictory' });
    expect(read('soon', '')).toEqual({ format: undefined, doubt: null });
  });

  it.each([
    ['2027-12-31T00:00:00.000', '2027-12-31'],
    ['2027-12-31T00:00:00Z', '2027-12-31'],
    ['20270331', '2027-03-31'],
    ['2027/6/5 00:00:00', '2027-06-05'],
    ['31-Dec-2026', '2026-12-31'],
    ['31-dez-26', '2026-12-31'],
    ['Dec 31, 2026', '2026-12-31'],
    ['December 3rd, 2026', '2026-12-03'],
    ['31 de março de 2027', '2027-03-31'],
    ['5 Sept. 2027', '2027-09-05'],
    ['03/04/2027', '03/04/2027'],
    ['31 Foo 2027', '31 Foo 2027'],
    ['15-ene-2027', '2027-01-15'],
    ['3 de septiembre de 2027', '2027-09-03'],
    ['31dic2026', '2026-12-31'],
    ['1 fev 2027', '2027-02-01'],
    ['1/mai/2027', '2027-05-01'],
    ['Ago 5, 2027', '2027-08-05'],
    ['3 marraskuu 2026', '3 marraskuu 2026'],
    ['5 juillet 2027', '5 juillet 2027'],
    ['3 Marchioness 2026', '3 Marchioness 2026'],
  ])('%s is %s whatever the format: only what reads one way is read', (text, day) => {
    expect(toIsoDay(text, undefined)).toBe(day);
  });

  it('are written as the service takes them in their format, and what is none stays for its error', () => {
    expect(toIsoDay('5/6/2027', 'day-first')).toBe('2027-06-05');
    expect(toIsoDay('5/6/2027', 'month-first')).toBe('2027-05-06');
    expect(toIsoDay('31.12.27', 'day-first')).toBe('2027-12-31');
    expect(toIsoDay('12/31/2027', 'day-first')).toBe('12/31/2027');
  });

  it('with a year of two digits are the nearest to today, before it if they begin something', () => {
    const year = new Date().getUTCFullYear();
    const short = (years: number) => String((year + years) % 100).padStart(2, '0');
    const read = (years: number, side: 'behind' | 'either') =>
      Number(toIsoDay(`31.12.${short(years)}`, 'day-first', side).slice(0, 4)) - year;
    expect([-58, -28, -1, 0].map((years) => read(years, 'behind'))).toEqual([-58, -28, -1, 0]);
    const years = [-40, -28, -1, 0, 1, 20, 30];
    expect(years.map((one) => read(one, 'either'))).toEqual(years);
    expect(toIsoDay('12/31/98', 'month-first')).toBe('1998-12-31');
    expect(toIsoDay('31-DEC-98', undefined)).toBe('1998-12-31');
    expect(toIsoDay('31 de dez. de 98', undefined)).toBe('1998-12-31');
  });

  it('with a year of two digits far from today are in doubt, and those with four never are', () => {
    const year = new Date().getUTCFullYear();
    const short = (years: number) => String((year + years) % 100).padStart(2, '0');
    for (const years of [-50, -42, 31, 40]) {
      expect(guessedYear(`31.12.${short(years)}`, 'day-first')).toBeDefined();
      expect(guessedYear(`31-dec-${short(years)}`, undefined)).toBeDefined();
      expect(guessedYear(`31.12.${year + years}`, 'day-first')).toBeUndefined();
    }
    expect(guessedYear(`31.12.${short(3)}`, 'day-first')).toBeUndefined();
    expect(guessedYear(`31.12.${short(30)}`, 'day-first', 'behind')).toBeDefined();
  });

  it('are suggested in the order of the country', () => {
    expect(['US', 'PT', 'GB', undefined].map(dateOrderOf)).toEqual([
      'month-first',
      'day-first',
      'day-first',
      'day-first',
    ]);
  });
});

it('a word for a choice is read as that choice, and any other as the name of one', () => {
  const states = ['active', 'inactive'];
  expect(['Ativo', 'ACTIVE', 'Inativa', 'On leave'].map((text) => readChoice(text, states))).toEqual([
    ...['active', 'active', 'inactive', 'on_leave'],
  ]);
  expect(readChoice('Stand Alone', ['main', 'stand_alone'])).toBe('stand_alone');
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatCell, parseCell } from '../cell-values.ts';
import { escapeFormula, unescapeFormula } from './formulas.ts';

/** Texts of what matters to a spreadsheet, and of anything else. */
const texts = fc.oneof(fc.string({ unit: fc.constantFrom(...'\'"=+-@＝＋－＠;|\t\r\n,a') }), fc.string());

it('escapes every cell that a spreadsheet would execute, and reverts the escape', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const cell = escapeFormula(text);
      expect(cell).not.toMatch(/^[=+\-@＝＋－＠\t\r\n]/);
      // Whatever a spreadsheet splits the row at, with or without the quotes around the cell.
      for (const part of cell.split(/[;|\t\r\n]/)) expect(part).not.toMatch(/^"*[=+\-@＝＋－＠]/);
      expect(unescapeFormula(cell)).toBe(text);
    }),
  );
});

it('leaves an unescaped number with a plus unchanged', () => {
  expect(unescapeFormula('+351 210 000 042')).toBe('+351 210 000 042');
  expect(escapeFormula('+351 210 000 042')).toBe("'+351 210 000 042");
});

it.each([
  ['＝1+1', "'＝1+1"],
  ['a;=cmd', "a;'=cmd"],
  ['a\t@cmd', "a\t'@cmd"],
  ['a\n-1', "a\n'-1"],
  ['a|"+1', `a|'"+1`],
  ["a;'=cmd", "a;''=cmd"],
  ['a;b, c=d', 'a;b, c=d'],
])('writes %j as %j, because a spreadsheet may split a cell at its list separator', (text, cell) => {
  expect(escapeFormula(text)).toBe(cell);
  expect(unescapeFormula(cell)).toBe(text);
});

it('writes JSON in which no formula follows a separator', () => {
  const value = { note: 'a;=cmd|@x' };
  expect(formatCell(value, { kind: 'json' })).not.toMatch(/[;|]/);
  expect(parseCell(formatCell(value, { kind: 'json' }), { kind: 'json' })).toEqual(value);
});

it('writes every list so that it is parsed to the same list', () => {
  const items = fc.array(texts.map((text) => text.trim()).filter((text) => text !== ''));
  fc.assert(
    fc.property(items, (list) => {
      expect(parseCell(formatCell(list, { kind: 'list' }), { kind: 'list' }) ?? []).toEqual(list);
    }),
  );
});

it('parses comma-separated lists, enum values in any letter case, and empty cells as null', () => {
  expect(parseCell(' pt-PT, en ,', { kind: 'list' })).toEqual(['pt-PT', 'en']);
  expect(parseCell('["a, b"]', { kind: 'list' })).toEqual(['a, b']);
  expect(parseCell('Stand Alone', { kind: 'choice' })).toBe('stand_alone');
  expect(parseCell('  ', { kind: 'text' })).toBeNull();
});

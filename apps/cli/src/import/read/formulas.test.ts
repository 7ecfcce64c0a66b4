import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cellOf, valueOfCell } from './cell-values.ts';
import { escapeFormula, unescapeFormula } from './formulas.ts';

/** Texts of what matters to a spreadsheet, and of anything else. */
const texts = fc.oneof(fc.string({ unit: fc.constantFrom(...'\'"=+-@＝＋－＠;|\t\r\n,a') }), fc.string());

it('writes no cell that a spreadsheet executes, and reads every one as what it was', () => {
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

it('leaves a number with a plus as it is, where nobody has escaped it', () => {
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
])(
  'writes %j as %j, because a spreadsheet may split a cell where it expects its own separator',
  (text, cell) => {
    expect(escapeFormula(text)).toBe(cell);
    expect(unescapeFormula(cell)).toBe(text);
  },
);

it('writes JSON in which no formula begins after a separator', () => {
  const value = { note: 'a;=cmd|@x' };
  expect(cellOf(value, { kind: 'json' })).not.toMatch(/[;|]/);
  expect(valueOfCell(cellOf(value, { kind: 'json' }), { kind: 'json' })).toEqual(value);
});

it('writes every list so that it is read as it was', () => {
  const items = fc.array(texts.map((text) => text.trim()).filter((text) => text !== ''));
  fc.assert(
    fc.property(items, (list) => {
      expect(valueOfCell(cellOf(list, { kind: 'list' }), { kind: 'list' }) ?? []).toEqual(list);
    }),
  );
});

it('reads a list with commas between, a choice in any letter case, and nothing as null', () => {
  expect(valueOfCell(' pt-PT, en ,', { kind: 'list' })).toEqual(['pt-PT', 'en']);
  expect(valueOfCell('["a, b"]', { kind: 'list' })).toEqual(['a, b']);
  expect(valueOfCell('Stand Alone', { kind: 'choice' })).toBe('stand_alone');
  expect(valueOfCell('  ', { kind: 'text' })).toBeNull();
});

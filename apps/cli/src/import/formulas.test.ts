import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cellOf, valueOfCell } from './cells.ts';
import { escapeFormula, unescapeFormula } from './formulas.ts';

/** Texts of what matters to a spreadsheet, and of anything else. */
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', 'a') }),
  fc.string(),
);

it('writes no cell that a spreadsheet executes, and reads every one as what it was', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const cell = escapeFormula(text);
      expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
      expect(unescapeFormula(cell)).toBe(text);
    }),
  );
});

it('leaves a number with a plus as it is, where nobody has escaped it', () => {
  expect(unescapeFormula('+351 210 000 042')).toBe('+351 210 000 042');
  expect(escapeFormula('+351 210 000 042')).toBe("'+351 210 000 042");
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

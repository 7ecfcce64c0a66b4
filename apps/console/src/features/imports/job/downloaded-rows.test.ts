import { expect, it } from 'vitest';
import { csvRow, ndjsonRow } from './downloaded-rows.ts';

it('a cell of a downloaded row is no formula in a spreadsheet, and is quoted where it has to be', () => {
  expect(csvRow(['=1+1', 'Rua 1; Lisboa', 'He said "no"', "'=already"], ';')).toBe(
    `'=1+1;"Rua 1; Lisboa";"He said ""no""";'=already\r\n`,
  );
});

it('a downloaded line of NDJSON begins with what is wrong, and keeps what is no object', () => {
  expect(ndjsonRow('{"name":"Baixa","O que corrigir":"old"}', ['What to correct', 'Phone is missing'])).toBe(
    '{"What to correct":"Phone is missing","name":"Baixa"}\n',
  );
  expect(ndjsonRow('not JSON', ['What to correct', 'is not a JSON object'])).toBe(
    '{"What to correct":"is not a JSON object","line":"not JSON"}\n',
  );
});

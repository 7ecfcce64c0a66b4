import { expect, it } from 'vitest';
import { csvRow, reportLine, reportName } from './report.ts';
import type { FaultyRow, Inspection } from './types.ts';

const inspection = (format: Inspection['format']): Inspection => ({
  format,
  encoding: 'utf-8',
  delimiter: ';',
  headers: ['First name', 'E-mail', 'Languages'],
  rows: [],
});
const row = (...cells: string[]): FaultyRow => ({
  importId: 'one',
  row: 7,
  line: 7,
  cells,
  errors: [
    { column: 'E-mail', code: 'invalid_format', message: 'must be an e-mail address' },
    { column: '', code: 'more', message: 'and 2 more errors' },
  ],
});
const error = 'E-mail: must be an e-mail address; and 2 more errors';

it('a report has the cells of a row as they are in the file, after what is wrong with it', () => {
  const line = reportLine({ inspection: inspection('csv') }, row('Ana', 'ana@', '"quoted"'));
  expect(line).toBe(`"${error}";Ana;ana@;"""quoted"""\r\n`);
});

it('no cell of a report is executed by a spreadsheet, and one that was escaped already is not escaped twice', () => {
  expect(csvRow(['=1+1', '+351 210', '@a', "'=1+1", 'a;=2', '-'], ';')).toBe(
    `'=1+1;'+351 210;'@a;'=1+1;"a;'=2";'-\r\n`,
  );
});

it('a report of NDJSON is NDJSON, with its lists as lists', () => {
  const line = reportLine({ inspection: inspection('ndjson') }, row('Ana', '', '["pt","en"]'));
  expect(JSON.parse(line)).toEqual({ 'import error': error, 'First name': 'Ana', Languages: ['pt', 'en'] });
});

it('a report is named after its file', () => {
  expect(reportName('agents.csv')).toBe('agents-errors.csv');
  expect(reportName('Pasted rows')).toBe('Pasted rows-errors');
});

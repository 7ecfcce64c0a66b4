import { type Cell, type CellValue, cellRef, readXlsx, type Sheet, streamXlsxRows } from 'hucre/xlsx';
import { escapeFormula, unescapeFormula } from './values/formulas.ts';
import { shownDigits } from './values/number-formats.ts';

/** The largest workbook: unpacked and read it takes about forty times as much memory. */
export const WORKBOOK_MAX_BYTES = 16 * 1024 * 1024;

/** A workbook that cannot be read, with what to do. */
export class WorkbookError extends Error {}

/** A sheet of a workbook as a CSV file, whose rows have the numbers of the sheet. */
export interface SheetFile {
  name: string;
  /** The names of all sheets that are not hidden. */
  sheets: string[];
  csv: Blob;
  /** Parts of the sheet that nobody sees: rows and columns that are hidden, and read, and cells whose formula has no value. */
  notes: { hiddenRows: number; hiddenColumns: number; formulas: string[] };
}

/** Stands for the value of a formula that the program which wrote the workbook did not calculate. */
const NO_VALUE = '#FORMULA!';

/** A moment of a cell: a day without a time, as most are, else both. Sheets have no time zone. */
const momentText = (value: Date) => value.toISOString().replace(/T00:00:00\.000Z$/, '');

/** The text of a value as a spreadsheet shows it, but for quantities, which are not rounded. */
function valueText(value: CellValue, format: string | undefined): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : momentText(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number') return shownDigits(value, format ?? '') ?? String(value);
  return String(value);
}

/** A text as a cell that an import reads as that text. */
function csvCell(text: string): string {
  const cell = unescapeFormula(text) === text ? text : escapeFormula(text);
  return cell === '' ? '' : `"${cell.replaceAll('"', '""')}"`;
}

/** Whether a formula of a cell has no stored value: it shows something, and so is never an empty cell. */
const lacksValue = (cell: Cell | undefined, value: CellValue) =>
  cell?.formula !== undefined && (value === null || value === undefined);

/** The texts of a sheet. The value of cells that are merged over several rows counts for each of these. */
function textsOf({ rows, cells, merges = [] }: Sheet): string[][] {
  const texts = rows.map((values, row) =>
    Array.from(values, (value, column) => {
      const cell = cells?.get(`${row},${column}`);
      return lacksValue(cell, value) ? NO_VALUE : valueText(value, cell?.style?.numFmt);
    }),
  );
  for (const { startRow, startCol, endRow } of merges) {
    const text = texts[startRow]?.[startCol] ?? '';
    for (const row of texts.slice(startRow + 1, endRow + 1)) {
      while (row.length <= startCol) row.push('');
      row[startCol] ||= text;
    }
  }
  return texts;
}

function notesOf({ rows, cells = new Map(), rowDefs = new Map(), columns = [] }: Sheet): SheetFile['notes'] {
  const hasText = (row: number) => rows[row]?.some((value) => value !== null && value !== '') ?? false;
  const formulas = [...cells].filter(([, cell]) => lacksValue(cell, cell.value));
  return {
    hiddenRows: [...rowDefs].filter(([row, { hidden }]) => hidden === true && hasText(row)).length,
    hiddenColumns: columns.filter(({ hidden }) => hidden === true).length,
    formulas: formulas.map(([place]) => {
      const [row = 0, column = 0] = place.split(',').map(Number);
      return cellRef(row, column);
    }),
  };
}

const advice =
  'save its sheet as CSV, and import that file (Excel: File, Save As, "CSV UTF-8"; Numbers: File, Export To, CSV; ' +
  'LibreOffice: File, Save As, Text CSV)';

const wide = (text: string) => Array.from(text, (letter) => `${letter}\0`).join('');

/** Kinds of files that are no workbooks of Excel, by the texts and signs in them, as Latin 1. */
const kinds: readonly [isKind: (text: string) => boolean, name: string][] = [
  [(text) => text.includes(wide('EncryptedPackage')), 'the workbook has a password: save it without one'],
  [
    (text) => text.startsWith('\xd0\xcf\x11\xe0'),
    `the file is an old workbook (.xls): save it as .xlsx, or ${advice}`,
  ],
  [
    (text) => text.includes('opendocument.spreadsheet'),
    `the file is an OpenDocument spreadsheet (.ods): save it as .xlsx, or ${advice}`,
  ],
  [
    (text) => text.includes('xl/workbook.bin'),
    `the file is a binary workbook (.xlsb): save it as .xlsx, or ${advice}`,
  ],
  [
    (text) => text.includes('word/document.xml'),
    'the file is a document of Word: copy its table into a workbook',
  ],
  [
    (text) => !text.includes('PK\x05\x06'),
    `the file is cut off, as by a download that failed: get it again, or ${advice}`,
  ],
];

/** Why a file cannot be read as a workbook. */
function refusalOf(bytes: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(bytes);
  const latin = Array.from(bytes.subarray(0, 4), (byte) => String.fromCharCode(byte)).join('');
  const found = kinds.find(([isKind]) => isKind(`${latin}${text}`));
  return found?.[1] ?? `the file is not a workbook that can be read: ${advice}`;
}

/** The names of the sheets that are not hidden. Throws `WorkbookError` for what is no workbook. */
async function sheetNames(bytes: Uint8Array): Promise<string[]> {
  const names: string[] = [];
  try {
    await readXlsx(bytes, {
      sheets: ({ name, hidden, veryHidden }) => {
        if (hidden !== true && veryHidden !== true) names.push(name);
        return false;
      },
    });
  } catch (error) {
    throw new WorkbookError(refusalOf(bytes), { cause: error });
  }
  return names;
}

/** The cells from the first to the last with anything in it; undefined for an empty sheet. A format alone is nothing. */
async function rangeOf(bytes: Uint8Array, sheet: string): Promise<string | undefined> {
  let [lastRow, lastColumn] = [-1, -1];
  for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
    const last = values.findLastIndex((value) => value !== null && value !== undefined && value !== '');
    if (last < 0) continue;
    lastRow = index;
    lastColumn = Math.max(lastColumn, last);
  }
  return lastRow < 0 ? undefined : `A1:${cellRef(lastRow, lastColumn)}`;
}

/** Reads a sheet with the formats of its cells; undefined for an empty one. Throws for one that has no cells, such as one of charts. */
async function readSheet(bytes: Uint8Array, name: string): Promise<Sheet | undefined> {
  const range = await rangeOf(bytes, name);
  if (range === undefined) return undefined;
  const { sheets } = await readXlsx(bytes, { readStyles: true, sheets: [name], range });
  return sheets[0];
}

/**
 * Reads a sheet of a workbook (`.xlsx`): the named one, else the first with anything in it. Hidden sheets are left out, and so are sheets
 * of charts. Throws `WorkbookError` for a file that is no such workbook, is too large, or does not have the sheet.
 */
export async function readWorkbook(file: Blob, sheet?: string): Promise<SheetFile> {
  if (file.size > WORKBOOK_MAX_BYTES)
    throw new WorkbookError(`the workbook is larger than ${WORKBOOK_MAX_BYTES / 1024 / 1024} MB: ${advice}`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const sheets = await sheetNames(bytes);
  if (sheet !== undefined && !sheets.includes(sheet))
    throw new WorkbookError(`the workbook has no sheet "${sheet}"; it has ${sheets.join(', ')}`);
  let failure: unknown;
  for (const name of sheet === undefined ? sheets : [sheet]) {
    const found = await readSheet(bytes, name).catch((error: unknown) => {
      failure = error;
      return undefined;
    });
    if (found === undefined) continue;
    const lines = textsOf(found).map((row) => row.map(csvCell).join(','));
    const csv = new Blob([lines.join('\n')], { type: 'text/csv' });
    return { name, sheets, csv, notes: notesOf(found) };
  }
  if (failure !== undefined) throw new WorkbookError(refusalOf(bytes), { cause: failure });
  if (sheet !== undefined) throw new WorkbookError(`the sheet "${sheet}" is empty`);
  throw new WorkbookError(
    sheets.length === 0 ? 'the workbook has only hidden sheets: show one of them' : 'the workbook is empty',
  );
}

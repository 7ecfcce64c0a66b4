import { type Cell, type CellValue, readXlsx, type Sheet } from 'hucre/xlsx';
import { escapeFormula, unescapeFormula } from './values/formulas.ts';

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
}

/** A moment of a cell: a day without a time, as most are, else both. Sheets have no time zone. */
const momentText = (value: Date) => value.toISOString().replace(/T00:00:00\.000Z$/, '');

/** The text of a value as a spreadsheet shows it, but for numbers, which are not rounded. A format of zeros, such as that of ZIP codes, counts. */
function valueText(value: CellValue, format: string | undefined): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : momentText(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number')
    return /^0+$/.test(format ?? '') && Number.isInteger(value)
      ? String(value).padStart(format?.length ?? 0, '0')
      : String(value);
  return String(value);
}

/** A text as a cell that an import reads as that text. */
function csvCell(text: string): string {
  const cell = unescapeFormula(text) === text ? text : escapeFormula(text);
  return cell === '' ? '' : `"${cell.replaceAll('"', '""')}"`;
}

const formatOf = (cell: Cell | undefined) => cell?.style?.numFmt;

function csvOf({ rows, cells }: Sheet): Blob {
  const lines = rows.map((values, row) =>
    values
      .map((value, column) => csvCell(valueText(value, formatOf(cells?.get(`${row},${column}`)))))
      .join(','),
  );
  return new Blob([lines.join('\n')], { type: 'text/csv' });
}

const hasRows = ({ rows }: Sheet) =>
  rows.some((values) => values.some((value) => value !== null && value !== undefined && value !== ''));

const advice =
  'save its sheet as CSV, and import that file (Excel: File, Save As, "CSV UTF-8"; Numbers: File, Export To, CSV; ' +
  'LibreOffice: File, Save As, Text CSV)';

/** The sheet that is wanted, of those that are not hidden. */
async function readSheet(bytes: Uint8Array, isWanted: (name: string) => boolean): Promise<Sheet | undefined> {
  try {
    const { sheets } = await readXlsx(bytes, {
      readStyles: true,
      sheets: ({ name, hidden, veryHidden }) => hidden !== true && veryHidden !== true && isWanted(name),
    });
    return sheets[0];
  } catch (error) {
    throw new WorkbookError(`the file is not a workbook that can be read: ${advice}`, { cause: error });
  }
}

/**
 * Reads a sheet of a workbook (`.xlsx`): the named one, else the first with anything in it. Hidden sheets are left out. Throws `WorkbookError` for
 * a file that is no such workbook, is too large, or does not have the sheet.
 */
export async function readWorkbook(file: Blob, sheet?: string): Promise<SheetFile> {
  if (file.size > WORKBOOK_MAX_BYTES)
    throw new WorkbookError(`the workbook is larger than ${WORKBOOK_MAX_BYTES / 1024 / 1024} MB: ${advice}`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  for (let place = 0; ; place += 1) {
    const sheets: string[] = [];
    const isWanted = (name: string) => {
      sheets.push(name);
      return sheet === undefined ? sheets.length === place + 1 : name === sheet;
    };
    const found = await readSheet(bytes, isWanted);
    if (found !== undefined && hasRows(found)) return { name: found.name, sheets, csv: csvOf(found) };
    if (sheet !== undefined)
      throw new WorkbookError(
        found === undefined
          ? `the workbook has no sheet "${sheet}"; it has ${sheets.join(', ')}`
          : `the sheet "${sheet}" is empty`,
      );
    if (found === undefined) throw new WorkbookError('the workbook is empty');
  }
}

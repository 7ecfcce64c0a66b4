import { isPacked } from '@roster/import';
import { CliError, usageError } from '../../../errors.ts';
import type { IoStreams } from '../../../ui/io-streams.ts';
import { counted, printable } from '../../../ui/text.ts';
import type { InputFile } from './input-file.ts';

const FORMULAS_SHOWN = 5;

interface SheetOptions {
  sheet: string | undefined;
  format: string | undefined;
  encoding: string | undefined;
}

async function readSheet(file: Blob, sheet: string | undefined) {
  const { readWorkbook, WorkbookError } = await import('@roster/import/workbook');
  try {
    return await readWorkbook(file, sheet);
  } catch (error) {
    throw error instanceof WorkbookError ? new CliError(error.message) : error;
  }
}

/**
 * A sheet of a workbook as a CSV file, and what that is; any other file unchanged. Throws a usage error for options that do not apply, and
 * `CliError` for a workbook that can't be read.
 */
export async function unpackSheet(
  input: InputFile,
  { sheet, format, encoding }: SheetOptions,
  { stderr }: IoStreams,
): Promise<Pick<InputFile, 'blob' | 'format'>> {
  if (!(await isPacked(input.blob))) {
    if (sheet !== undefined) throw usageError('--sheet applies to workbooks (.xlsx) only');
    return input;
  }
  if (format === 'ndjson' || encoding !== undefined)
    throw usageError('--format ndjson and --encoding do not apply to a workbook');
  const { name, sheets, csv, notes } = await readSheet(input.blob, sheet);
  const others = sheets.filter((one) => one !== name).map((one) => `"${printable(one)}"`);
  if (others.length > 0)
    stderr.write(
      `Reading the sheet "${printable(name)}". Other sheets: ${others.join(', ')} (--sheet <name>)\n`,
    );
  const hidden = [
    notes.hiddenRows === 0 ? [] : counted(notes.hiddenRows, ['hidden row', 'hidden rows']),
    notes.hiddenColumns === 0 ? [] : counted(notes.hiddenColumns, ['hidden column', 'hidden columns']),
  ].flat();
  if (hidden.length > 0) stderr.write(`The sheet has ${hidden.join(' and ')}, which are read too.\n`);
  if (notes.formulas.length > 0)
    stderr.write(
      `${counted(notes.formulas.length, ['cell has', 'cells have'])} a formula without a value (${notes.formulas.slice(0, FORMULAS_SHOWN).join(', ')}): open the workbook in Excel, and save it.\n`,
    );
  return { blob: csv, format: 'csv' };
}

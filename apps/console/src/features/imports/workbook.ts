import { isPacked } from '@roster/import';
import { loadPart } from '../../ui/browser/lazy-chunks.ts';

/** A workbook, of which one sheet is read. */
export interface OpenedWorkbook {
  file: Blob;
  sheet: string;
  sheets: readonly string[];
  notes: { hiddenRows: number; hiddenColumns: number; formulas: readonly string[] };
}

/** A sheet of a workbook as a CSV file; any other file unchanged. Rejects with what to do if the workbook cannot be read. */
export async function unpackSheet(
  file: Blob,
  sheet: string | undefined,
): Promise<{ file: Blob; workbook?: OpenedWorkbook }> {
  if (!(await isPacked(file))) return { file };
  const { readWorkbook, WorkbookError } = await loadPart(() => import('@roster/import/workbook'));
  try {
    const { name, sheets, csv, notes } = await readWorkbook(file, sheet);
    return { file: csv, workbook: { file, sheet: name, sheets, notes } };
  } catch (error) {
    if (!(error instanceof WorkbookError)) throw error;
    const { message } = error;
    throw new Error(`${message.charAt(0).toUpperCase()}${message.slice(1)}.`, { cause: error });
  }
}

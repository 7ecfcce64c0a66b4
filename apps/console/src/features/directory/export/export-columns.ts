import { type Column, exportedColumns, formatCell, unescapeFormula } from '@roster/import';
import { contracts, embeddedParent, type ResourceName } from '../../../api/contract/contracts.ts';
import type { DirectoryRecord } from '../../../resources/record.ts';
import { valueAt } from '../../../resources/record.ts';
import { importables } from '../../fields/import-columns.ts';

export interface ExportColumn {
  /** The header: what an import calls it, if it reads it. */
  header: string;
  cellOf: (record: DirectoryRecord) => unknown;
  kind: Column['kind'];
}

/**
 * The columns of a whole record, as `roster agents export` writes them: an import of the file changes nothing. An office is named by
 * its id alone. With `byItem` those of a row for each item of the list of which items may be rows.
 */
export function wholeColumns(resource: ResourceName, { byItem = false } = {}): ExportColumn[] {
  const { parentNames: parent } = contracts[resource];
  return exportedColumns(importables[resource], { byItem })
    .filter(({ field }) => field !== parent?.name && field.split('.')[0] !== parent?.source)
    .map(({ field, kind }) => ({ header: field, kind, cellOf: (record) => valueAt(record, field) }));
}

/** A count; of records by their status the active ones. */
function countAt(record: DirectoryRecord, name: string): unknown {
  return valueAt(record, `${name}.active`) ?? valueAt(record, name);
}

/** The columns that a list shows, in their order, for programs. The office of an agent is its name, as it is shown. */
export function shownColumns(resource: ResourceName, names: readonly string[]): ExportColumn[] {
  const { parentField, parentNames } = contracts[resource];
  const embedded = embeddedParent(resource);
  return names.map((name): ExportColumn => {
    if (name === parentField && embedded !== undefined)
      return {
        header: parentNames?.name ?? name,
        kind: 'text',
        cellOf: (record) => valueAt(record, `${embedded}.name`),
      };
    const isCount = name.startsWith('counts.');
    return {
      header: name,
      kind: 'text',
      cellOf: (record) => (isCount ? countAt(record, name) : valueAt(record, name)),
    };
  });
}

/** A cell in quotes if it has to be (RFC 4180). */
const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const csvLine = (cells: readonly string[]) => `${cells.map(quoted).join(',')}\r\n`;

/** The first line of a CSV file, with the mark by which a spreadsheet knows that it is UTF-8. */
export const csvHeader = (columns: readonly ExportColumn[]) =>
  `\uFEFF${csvLine(columns.map(({ header }) => header))}`;

/** A record as a line of a CSV file, in which no spreadsheet finds a formula. */
export function csvRow(columns: readonly ExportColumn[], record: DirectoryRecord): string {
  return csvLine(columns.map(({ cellOf, kind }) => formatCell(cellOf(record), { kind })));
}

export function jsonRow(columns: readonly ExportColumn[], record: DirectoryRecord): string {
  const entries = columns.map(({ header, cellOf }) => [header, cellOf(record) ?? null]);
  return `${JSON.stringify(Object.fromEntries(entries))}\n`;
}

/** A record as the texts of a row of a workbook, in which nothing is escaped, as no text is a formula there. */
export const textRow = (columns: readonly ExportColumn[], record: DirectoryRecord): string[] =>
  columns.map(({ cellOf, kind }) => unescapeFormula(formatCell(cellOf(record), { kind })));

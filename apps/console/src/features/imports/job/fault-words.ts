import { useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import type { Outputs } from '../../../api/client.ts';
import { contracts, kindAt } from '../../../api/contract/contracts.ts';
import type { FieldKind } from '../../../api/contract/types.ts';
import { columnLabel } from '../../fields/import-columns.ts';

/** A row of an import, and what becomes of it. */
export type ImportRow = Outputs['imports']['rows']['items'][number];
type Fault = ImportRow['errors'][number];

/** The cell that a fault is about; undefined if the file has none. */
function cellOf({ columns }: Import, { cells }: ImportRow, column: string): string | undefined {
  const place = columns.findIndex(({ name }) => name === column);
  return place < 0 ? undefined : cells[place];
}

/** Returns a function that words what is wrong with a row for whoever has the file before them. */
export function useFaultWords(file: Import): (row: ImportRow, fault: Fault) => string {
  const { t, i18n } = useLingui();
  return (row, { column, code, detail }) => {
    const known = file.columns.find(({ name }) => name === column);
    const label = known === undefined ? columnLabel(i18n, file.resource, column) : column;
    const cell = cellOf(file, row, column)?.trim() ?? '';
    const shapes: Partial<Record<FieldKind, string>> = {
      email: t`${label}: “${cell}” isn't an email address`,
      url: t`${label}: “${cell}” isn't a web address`,
      date: t`${label}: “${cell}” isn't a date`,
    };
    // A field of a licence has the kind of a part.
    const field = (known?.field ?? column).replace('[0]', '');
    const kind = field.endsWith('expiresOn') ? 'date' : kindAt(file.resource, field);
    const [, other = ''] = /\brow (\d+)/.exec(detail) ?? [];
    const { nameParts = [] } = contracts[file.resource];
    const otherName = nameParts.includes(field) ? nameParts.find((part) => part !== field) : undefined;
    const otherLabel = otherName && columnLabel(i18n, file.resource, otherName);
    const words: Readonly<Record<string, string | undefined>> = {
      required: otherLabel ? t`${label} is required unless “${otherLabel}” is set` : t`${label} is required`,
      invalid_choice: t`${label}: “${cell}” isn't one of the possible values`,
      invalid_format: shapes[kind],
      invalid_date: shapes.date,
      not_found: t`${label}: “${cell}” doesn't exist`,
      ambiguous: t`${label}: several records are called “${cell}”`,
      inactive: t`${label}: “${cell}” is inactive`,
      taken: t`${label}: another record has “${cell}”`,
      repeated: other === '' ? undefined : t`${label}: “${cell}” is also in row ${other}`,
      cell_count: t`The row has more or fewer cells than the header`,
    };
    if (column === '') return words[code] ?? detail;
    // A message about a cell needs the cell.
    const word = code === 'required' || cell !== '' ? words[code] : undefined;
    return word ?? `${label} ${detail}`;
  };
}

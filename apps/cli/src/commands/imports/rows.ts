import type { ImportRow } from '@roster/client';
import { columnsOf } from '../../contract/columns.ts';
import { otherListCommand } from '../lists.ts';

export const rowsCommand = otherListCommand({
  operation: 'rows',
  isOfOne: true,
  names: () => ['row', 'rows'],
  columns: () => columnsOf<ImportRow>(['row', 'outcome', 'recordId', 'matchedBy', 'warnings']),
});

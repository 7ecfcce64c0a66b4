import type { ImportError, JobError } from '@roster/client';
import { columnsOf } from '../../contract/columns.ts';
import { otherListCommand } from '../lists.ts';

export const errorsCommand = otherListCommand({
  operation: 'errors',
  isOfOne: true,
  names: () => ['error', 'errors'],
  columns: ({ name }) =>
    name === 'imports'
      ? columnsOf<ImportError>(['row', 'column', 'value', 'detail'])
      : columnsOf<JobError>(['id', 'code', 'detail']),
});

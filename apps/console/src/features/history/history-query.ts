import type { RecordChange } from '@roster/client';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { type Pages, usePagesOf } from '../../api/use-pages.ts';
import { callsOf } from '../../resources/record-calls.ts';

const PAGE_SIZE = 50;

export type RecordHistory = Pages<RecordChange>;

/**
 * The changes of a record, page by page. The key of the list has the id of the record, by which an event about it finds the list
 * to be read again: a change by anyone is there at once.
 */
export function useHistory(resource: ResourceName, id: string): RecordHistory {
  return usePagesOf({
    queryKey: [resource, 'history', { id }, 'pages'],
    read: (cursor, signal) => callsOf(resource).history.query({ id, limit: PAGE_SIZE, cursor }, { signal }),
  });
}

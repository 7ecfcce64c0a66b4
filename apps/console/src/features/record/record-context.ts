import { createContext, useContext } from 'react';
import type { ResourceName } from '../../api/contract/contracts.ts';
import type { DirectoryRecord } from '../../resources/record.ts';

export interface OpenRecord {
  resource: ResourceName;
  record: DirectoryRecord;
}

export const RecordContext = createContext<OpenRecord | undefined>(undefined);

/** Whether values are links where they can be, such as a telephone number; in the label of a control they are not. */
export const ValueLinks = createContext(true);

/**
 * The record that is open, for the views of it, which are rendered inside its frame alone.
 *
 * @throws Error outside of it
 */
export function useRecord(): OpenRecord {
  const open = useContext(RecordContext);
  if (open === undefined) throw new Error('There is no record around this view');
  return open;
}

export type RecordPath = `/${ResourceName}/$id`;

export function recordPath(resource: ResourceName): RecordPath {
  return `/${resource}/$id`;
}

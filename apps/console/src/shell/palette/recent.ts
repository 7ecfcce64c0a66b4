import type { ResourceName } from '../../api/contract/contracts.ts';
import { isResourceName } from '../../resources/index.ts';
import { keep, RECENT_KEY, readKept } from '../../ui/browser/storage.ts';

/** A record that was open in this browser. Its name is read again when it is shown, so that it is not kept here. */
export interface RecentRecord {
  resource: ResourceName;
  id: string;
}

const RECENT_MAX = 8;

const recordPath = /^\/console\/([\w-]+)\/([\da-f-]{36})$/;

export function parseRecordPath(path: string): RecentRecord | undefined {
  const [, resource, id] = recordPath.exec(path) ?? [];
  return id === undefined || !isResourceName(resource) ? undefined : { resource, id };
}

export function recentRecords(): RecentRecord[] {
  return readKept<RecentRecord[]>(RECENT_KEY) ?? [];
}

export function rememberRecord(record: RecentRecord): void {
  const others = recentRecords().filter(({ id }) => id !== record.id);
  keep(RECENT_KEY, [record, ...others].slice(0, RECENT_MAX));
}

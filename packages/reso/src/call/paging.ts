import { invalidParameter } from '@roster/api';
import { PAGE_SIZE, PAGE_SIZE_MAX, RECORDS_OF_REQUEST, SKIP_MAX } from '../protocol/limits.ts';
import type { ResoResponse } from '../protocol/service.ts';
import { contextUrl, nextPageLink, type ResoCall } from './call.ts';

/** Throws `invalid_parameter` beyond the limit. */
export function skipOf(skip = 0): number {
  if (skip <= SKIP_MAX) return skip;
  const detail = `must be at most ${SKIP_MAX.toLocaleString('en')}; follow @odata.nextLink, or filter by a key`;
  throw invalidParameter('$skip', 'out_of_range', detail);
}

/** The client's preference, up to `$top`. */
export function pageSize({ options, preferences }: Pick<ResoCall, 'options' | 'preferences'>): number {
  const preferred = Math.min(preferences.maxPageSize ?? PAGE_SIZE, PAGE_SIZE_MAX);
  return Math.min(options.top ?? preferred, preferred);
}

interface Page {
  set: string;
  /** Relative to the service root. Defaults to the set. */
  path?: string;
  value: readonly object[];
  total: number | undefined;
  cursor: string | undefined;
}

export function pageResponse(call: ResoCall, { set, path = set, value, total, cursor }: Page): ResoResponse {
  return {
    body: {
      '@odata.context': contextUrl(call, set),
      ...(total !== undefined && { '@odata.count': total }),
      value,
      ...nextPageLink(call, { path, cursor, shown: value.length }),
    },
    headers: appliedPageSize(call.preferences.maxPageSize),
  };
}

function appliedPageSize(preferred: number | undefined): Record<string, string> {
  if (preferred === undefined) return {};
  return { 'Preference-Applied': `maxpagesize=${Math.min(preferred, PAGE_SIZE_MAX)}` };
}

/** Counts the requests of a page of `size` records, beyond the first. */
export function chargePage({ service }: Pick<ResoCall, 'service'>, size: number): Promise<void> {
  return service.charge(Math.ceil(size / RECORDS_OF_REQUEST) - 1);
}

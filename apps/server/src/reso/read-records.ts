import type { Condition } from '@roster/api/server';
import { contextUrl, type ResoAnswer, type ResoCall } from './call.ts';
import { allOf, conditionOf } from './conditions.ts';
import { optionError } from './errors.ts';
import { checkedExpansions, expand } from './expansions.ts';
import { findRecords } from './find-records.ts';
import { PAGE_SIZE, PAGE_SIZE_MAX, RECORDS_OF_REQUEST, SKIP_MAX } from './limits.ts';
import { nextPageLink, skipTokenOf } from './next-link.ts';
import { shownRecord } from './records.ts';
import type { ResoResource } from './resources.ts';
import { orderOf, selectedFields } from './selection.ts';

/** The records of a set: a page of them, with its total and the link to the next. */
export async function readSet(
  call: ResoCall,
  set: ResoResource,
  { path = set.name, within }: { path?: string; within?: Condition } = {},
): Promise<ResoAnswer> {
  const { name, resource, fields, byName } = set;
  const { options, preferences, context } = call;
  const selected = selectedFields(fields, options.select);
  const expansions = checkedExpansions(set, options.expand);
  const token = skipTokenOf(options.skipToken);
  const skip = skipOf(options.skip);
  const size = pageSize(call);
  await context.request.charge(Math.ceil(size / RECORDS_OF_REQUEST) - 1);
  const where = allOf([within, options.filter && conditionOf(options.filter, byName)]);
  const page = await findRecords(
    { context },
    {
      resource,
      ...(where && { where }),
      orderBy: orderOf(options.orderBy, byName),
      // A page of none is read too: its total, and the rights to it.
      limit: Math.max(1, size),
      ...(token === undefined ? { skip } : { cursor: token.cursor }),
      includeTotal: options.count === true,
    },
  );
  const items = page.items.slice(0, size);
  const shown = items.map((item) => shownRecord(item, selected, call));
  await expand(call, { items, shown, expansions });
  return {
    body: {
      '@odata.context': contextUrl(call, name),
      ...(page.total !== undefined && { '@odata.count': page.total }),
      value: shown,
      ...nextPageLink(call, { path, cursor: page.nextCursor, shown: items.length }),
    },
    headers: appliedPageSize(preferences.maxPageSize),
  };
}

/** The number of records that a filter selects, as text (OData URL conventions, section 4.8). */
export async function countSet(
  { options, context }: ResoCall,
  { resource, byName }: ResoResource,
): Promise<ResoAnswer> {
  const where = options.filter && conditionOf(options.filter, byName);
  const { total } = await findRecords(
    { context },
    {
      ...{ resource, orderBy: [], limit: 1, includeTotal: true },
      ...(where && { where }),
    },
  );
  return { body: String(total), type: 'text/plain; charset=utf-8' };
}

/** The records that `$skip` leaves out. Throws `invalid_parameter` beyond the limit. */
export function skipOf(skip = 0): number {
  if (skip <= SKIP_MAX) return skip;
  const detail = `must be at most ${SKIP_MAX.toLocaleString('en')}; follow @odata.nextLink, or filter by a key`;
  throw optionError('$skip', 'out_of_range', detail);
}

/** The records of this page: what the client prefers, at most what it asks for. */
export function pageSize({ options, preferences }: Pick<ResoCall, 'options' | 'preferences'>): number {
  const preferred = Math.min(preferences.maxPageSize ?? PAGE_SIZE, PAGE_SIZE_MAX);
  return Math.min(options.top ?? preferred, preferred);
}

export function appliedPageSize(preferred: number | undefined): Record<string, string> {
  if (preferred === undefined) return {};
  return { 'Preference-Applied': `maxpagesize=${Math.min(preferred, PAGE_SIZE_MAX)}` };
}

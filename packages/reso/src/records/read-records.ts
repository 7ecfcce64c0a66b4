import type { Condition } from '@roster/api/query';
import { parseSkipToken, type ResoCall } from '../call/call.ts';
import { chargePage, pageResponse, pageSize, skipOf } from '../call/paging.ts';
import { allOf, conditionOf } from '../fields/conditions.ts';
import { orderOf, type ResoResource, selectedFields } from '../fields/fields.ts';
import type { ResoResponse } from '../protocol/service.ts';
import { checkedExpansions, expand } from './expansions.ts';
import { findRecords } from './find-records.ts';
import { shownRecord } from './shown-record.ts';

export async function readSet(
  call: ResoCall,
  set: ResoResource,
  { path = set.name, within }: { path?: string; within?: Condition } = {},
): Promise<ResoResponse> {
  const { name, resource, fields, byName } = set;
  const { options } = call;
  const selected = selectedFields(fields, options.select);
  const expansions = checkedExpansions(call, set, options.expand);
  const token = parseSkipToken(options.skipToken);
  const skip = skipOf(options.skip);
  const size = pageSize(call);
  await chargePage(call, size);
  const where = allOf([within, options.filter && conditionOf(options.filter, byName)]);
  const page = await findRecords(call, {
    resource,
    ...(where && { where }),
    orderBy: orderOf(options.orderBy, byName),
    // An empty page is read too, for its total and the rights.
    limit: Math.max(1, size),
    ...(token === undefined ? { skip } : { cursor: token.cursor }),
    includeTotal: options.count === true,
  });
  const items = page.items.slice(0, size);
  const shown = items.map((item) => shownRecord(item, selected, call));
  await expand(call, { items, shown, expansions });
  return pageResponse(call, { set: name, path, value: shown, total: page.total, cursor: page.nextCursor });
}

export async function countSet(call: ResoCall, { resource, byName }: ResoResource) {
  const { filter } = call.options;
  const where = filter && conditionOf(filter, byName);
  const query = { resource, orderBy: [], limit: 1, includeTotal: true, ...(where && { where }) };
  return (await findRecords(call, query)).total;
}

import { invalidParameter } from '@roster/api';
import type { LogEntry } from '@roster/api/query';
import type { Expression } from '@roster/odata';
import {
  checkEntityOptions,
  contextUrl,
  entityUrl,
  invalidSkipToken,
  parseSkipToken,
  type ResoCall,
  rejectExpand,
} from '../call/call.ts';
import { chargePage, pageResponse, pageSize, skipOf } from '../call/paging.ts';
import { type ResoField, readOnlyField, selectedFields } from '../fields/fields.ts';
import { noSuchEntity } from '../protocol/errors.ts';
import { EVENT_READS_MAX, EVENT_WAIT_MS } from '../protocol/limits.ts';
import type { ResoResponse } from '../protocol/service.ts';
import { type EventSelection, eventSelection } from './event-filter.ts';

export const EVENT_SET = 'EntityEvent';
export const EVENT_KEY = 'EntityEventSequence';

/** RESO RCP-27. */
export const eventFields: readonly ResoField[] = [
  readOnlyField(EVENT_KEY, { type: 'number' }),
  readOnlyField('ResourceName', { maxLength: 255 }),
  readOnlyField('ResourceRecordKey', { maxLength: 255 }),
  readOnlyField('ResourceRecordUrl'),
];

/** In either order. Throws `cursor_expired` if later events are no longer kept. */
export async function readEvents(call: ResoCall): Promise<ResoResponse> {
  const { options } = call;
  const selected = selectedFields(eventFields, options.select);
  rejectExpand(call, EVENT_SET);
  const isDescending = isDescendingOf(options);
  const size = pageSize(call);
  const token = parseSkipToken(options.skipToken);
  const skip = skipOf(options.skip);
  const selection = continued(eventSelection(options.filter, call.resources), token?.cursor, isDescending);
  await chargePage(call, size);
  // The first page includes events of all earlier responses.
  if (token === undefined) await call.service.waitForEvents(EVENT_WAIT_MS);
  const page = await readPages(call, {
    selection,
    isDescending,
    skip,
    size,
    includeTotal: options.count === true,
  });
  const value = page.items.map((entry) => shownEvent(call, entry, selected));
  return pageResponse(call, { set: EVENT_SET, value, total: page.total, cursor: page.next });
}

export async function countEvents(call: ResoCall): Promise<number | undefined> {
  const selection = eventSelection(call.options.filter, call.resources);
  const none = { isDescending: false, skip: 0, limit: 0 };
  return (await call.service.findEvents({ ...selection, ...none, includeTotal: true })).total;
}

/** Throws `not_found`. */
export async function readEvent(call: ResoCall, key: string): Promise<ResoResponse> {
  checkEntityOptions(call);
  rejectExpand(call, EVENT_SET);
  const selected = selectedFields(eventFields, call.options.select);
  const value = { kind: 'number', value: Number(key), at: 0 } as const;
  const operand = { path: { kind: 'path', name: EVENT_KEY, at: 0 }, isLowered: false } as const;
  const filter: Expression = { kind: 'compare', operand, operator: 'eq', value, at: 0 };
  const selection = eventSelection(filter, call.resources);
  const query = { ...selection, isDescending: false, skip: 0, limit: 1, includeTotal: false };
  const [event] = (await call.service.findEvents(query)).items;
  if (event === undefined) throw noSuchEntity(EVENT_SET, key);
  const context = contextUrl(call, EVENT_SET, true);
  return { body: { '@odata.context': context, ...shownEvent(call, event, selected) } };
}

/** Throws `invalid_parameter` for any order other than the log's. */
function isDescendingOf({ orderBy = [] }: ResoCall['options']): boolean {
  const [key, ...others] = orderBy;
  if (key === undefined) return false;
  if (key.path.name === EVENT_KEY && others.length === 0) return key.isDescending;
  throw invalidParameter('$orderby', 'not_supported', `must be ${EVENT_KEY}, with asc or desc`);
}

/** The selection from the beginning of a page; in descending order, up to it. */
function continued(
  selection: EventSelection,
  cursor: string | undefined,
  isDescending: boolean,
): EventSelection {
  if (cursor === undefined) return selection;
  if (!/^\d{1,15}~?$/.test(cursor)) throw invalidSkipToken();
  if (!isDescending) return { ...selection, after: cursor };
  return { ...selection, last: Math.min(selection.last, Number.parseInt(cursor, 10)) };
}

interface Reading {
  selection: EventSelection;
  isDescending: boolean;
  skip: number;
  size: number;
  includeTotal: boolean;
}

interface EventsPage {
  items: LogEntry[];
  next: string | undefined;
  total: number | undefined;
}

/** Fills a page with as few reads of the log as possible; rare events may take several. */
async function readPages(call: ResoCall, { selection, size, ...reading }: Reading): Promise<EventsPage> {
  const { service, request } = call;
  const { isDescending, includeTotal } = reading;
  const items: LogEntry[] = [];
  let { skip } = reading;
  let next: string | undefined;
  let total: number | undefined;
  for (let reads = 0; reads < EVENT_READS_MAX; reads += 1) {
    if (reads > 0) await service.charge(1);
    const page = await service.findEvents({
      ...continued(selection, next, isDescending),
      isDescending,
      skip,
      limit: size - items.length,
      includeTotal: includeTotal && reads === 0,
    });
    items.push(...page.items);
    skip -= page.skipped;
    next = page.next;
    total ??= page.total;
    if (next === undefined || items.length >= size || request.isAbandoned()) break;
  }
  if (skip === 0 || next === undefined) return { items, next, total };
  const detail = `passes over more of the log than a page reads: bound ${EVENT_KEY}`;
  throw invalidParameter('$skip', 'out_of_range', detail);
}

function shownEvent(call: ResoCall, { position, type, subject }: LogEntry, selected: readonly ResoField[]) {
  const all = [...call.resources.values()];
  const name = all.find(({ eventTypes }) => eventTypes.includes(type))?.name;
  if (name === undefined) throw new Error(`no entity set has events of the type ${type}`);
  const values: Record<string, unknown> = {
    [EVENT_KEY]: position,
    ResourceName: name,
    ResourceRecordKey: subject,
    ResourceRecordUrl: entityUrl(call, name, subject),
  };
  return Object.fromEntries(selected.map((one) => [one.name, values[one.name]]));
}

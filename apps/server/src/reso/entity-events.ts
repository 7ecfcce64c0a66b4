import { RosterError } from '@roster/api';
import { type LogEntry, queryEntries, waitForPositions } from '@roster/api/query';
import type { Expression } from '@roster/odata';
import { contextUrl, entityUrl, type ResoAnswer, type ResoCall } from './call.ts';
import { optionError } from './errors.ts';
import { type EventSelection, eventSelection } from './event-filter.ts';
import { type ResoField, readOnlyField } from './fields.ts';
import { EVENT_READS_MAX, EVENT_WAIT_MS, RECORDS_OF_REQUEST } from './limits.ts';
import { invalidSkipToken, nextPageLink, skipTokenOf } from './next-link.ts';
import { appliedPageSize, pageSize, skipOf } from './read-records.ts';
import { selectedFields } from './selection.ts';

/** The fields of EntityEvent (RESO RCP-27). */
export const eventFields: readonly ResoField[] = [
  readOnlyField('EntityEventSequence', { type: 'number' }),
  readOnlyField('ResourceName', { maxLength: 255 }),
  readOnlyField('ResourceRecordKey', { maxLength: 255 }),
  readOnlyField('ResourceRecordUrl'),
];

/** A page of events, in either order. Throws `cursor_expired` if events after the given place are no longer kept. */
export async function readEvents(call: ResoCall): Promise<ResoAnswer> {
  const { options, preferences } = call;
  const selected = selectedFields(eventFields, options.select);
  const isDescending = isDescendingOf(options);
  const size = pageSize(call);
  const token = skipTokenOf(options.skipToken);
  const skip = token === undefined ? skipOf(options.skip) : 0;
  const selection = continued(eventSelection(options.filter), token?.cursor, isDescending);
  await call.context.request.charge(Math.ceil(size / RECORDS_OF_REQUEST) - 1);
  // The events of changes that were answered before are in a first page.
  if (token === undefined) await waitForPositions(call.context, EVENT_WAIT_MS);
  const page = await readPages(call, {
    ...{ selection, isDescending, skip, size },
    includeTotal: options.count === true,
  });
  return {
    body: {
      '@odata.context': contextUrl(call, 'EntityEvent'),
      ...(page.total !== undefined && { '@odata.count': page.total }),
      value: page.items.map((entry) => shownEvent(call, entry, selected)),
      ...nextPageLink(call, { path: 'EntityEvent', cursor: page.next, shown: page.items.length }),
    },
    headers: appliedPageSize(preferences.maxPageSize),
  };
}

/** The number of events that a filter selects, as text. */
export async function countEvents(call: ResoCall): Promise<ResoAnswer> {
  const selection = eventSelection(call.options.filter);
  const { total } = await queryEntries(call.context, {
    ...{ ...selection, isDescending: false, skip: 0, limit: 0 },
    includeTotal: true,
  });
  return { body: String(total), type: 'text/plain; charset=utf-8' };
}

/** One event by its number. Throws `not_found`. */
export async function readEvent(call: ResoCall, key: string): Promise<ResoAnswer> {
  const selected = selectedFields(eventFields, call.options.select);
  const value = { kind: 'number', value: Number(key), at: 0 } as const;
  const operand = { path: { kind: 'path', name: 'EntityEventSequence', at: 0 }, isLowered: false } as const;
  const filter: Expression = { kind: 'compare', operand, operator: 'eq', value, at: 0 };
  const selection = eventSelection(filter);
  const query = { ...selection, isDescending: false, skip: 0, limit: 1, includeTotal: false };
  const [event] = (await queryEntries(call.context, query)).items;
  if (event === undefined) throw new RosterError('not_found', `No EntityEvent has the key ${key}.`);
  const context = contextUrl(call, 'EntityEvent', true);
  return { body: { '@odata.context': context, ...shownEvent(call, event, selected) } };
}

/** Whether the newest event comes first. Throws `invalid_parameter` for another order than that of the log, and for `$expand`. */
function isDescendingOf({ expand, orderBy = [] }: ResoCall['options']): boolean {
  if (expand !== undefined) throw optionError('$expand', 'not_supported', 'is not an option of EntityEvent');
  const [key, ...others] = orderBy;
  if (key === undefined) return false;
  if (key.path.name === 'EntityEventSequence' && others.length === 0) return key.isDescending;
  throw optionError('$orderby', 'not_supported', 'must be EntityEventSequence, with asc or desc');
}

/** The rest of a selection from the place where a page begins: in the order of the log its beginning, else its end. */
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

/** A page of as many events as are wanted, from as few reads of the log as it takes: of rare events they may be several. */
async function readPages(call: ResoCall, { selection, size, ...reading }: Reading): Promise<EventsPage> {
  const { context, request } = call;
  const { isDescending, includeTotal } = reading;
  const items: LogEntry[] = [];
  let { skip } = reading;
  let next: string | undefined;
  let total: number | undefined;
  for (let reads = 0; reads < EVENT_READS_MAX; reads += 1) {
    if (reads > 0) await context.request.charge(1);
    const page = await queryEntries(context, {
      ...{ ...continued(selection, next, isDescending), isDescending, skip, limit: size - items.length },
      includeTotal: includeTotal && reads === 0,
    });
    items.push(...page.items);
    skip -= page.skipped;
    next = page.next;
    total ??= page.total;
    if (next === undefined || items.length >= size || request.raw.destroyed) break;
  }
  if (skip === 0 || next === undefined) return { items, next, total };
  const detail = 'passes over more of the log than a page reads: bound EntityEventSequence';
  throw optionError('$skip', 'out_of_range', detail);
}

function shownEvent(call: ResoCall, { position, type, subject }: LogEntry, selected: readonly ResoField[]) {
  const name = type.startsWith('office.') ? 'Office' : 'Member';
  const values: Record<string, unknown> = {
    EntityEventSequence: position,
    ResourceName: name,
    ResourceRecordKey: subject,
    ResourceRecordUrl: entityUrl(call, name, subject),
  };
  return Object.fromEntries(selected.map((one) => [one.name, values[one.name]]));
}

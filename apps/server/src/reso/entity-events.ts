import { type EventPage, RosterError } from '@roster/api';
import type { Expression } from '@roster/odata';
import { callProcedure } from '../procedures.ts';
import { contextUrl, entityUrl, type ResoAnswer, type ResoCall } from './call.ts';
import { optionError } from './errors.ts';
import { type EventSelection, eventSelection } from './event-filter.ts';
import { type ResoField, readOnlyField } from './fields.ts';
import { nextPageLink, skipTokenOf } from './next-link.ts';
import { appliedPageSize, pageSize } from './read-records.ts';
import { selectedFields } from './selection.ts';

/** The fields of EntityEvent (RESO RCP-27). */
export const eventFields: readonly ResoField[] = [
  readOnlyField('EntityEventSequence', { type: 'number' }),
  readOnlyField('ResourceName', { maxLength: 255 }),
  readOnlyField('ResourceRecordKey', { maxLength: 255 }),
  readOnlyField('ResourceRecordUrl'),
];

/** Events of one call of `events.list`, and the calls that one page may take: of rare events a page may be far apart. */
const EVENTS_OF_CALL = 200;
const CALLS_MAX = 10;

/** A page of events. Throws `cursor_expired` if events after the given place are no longer kept. */
export async function readEvents(call: ResoCall): Promise<ResoAnswer> {
  const { options, preferences } = call;
  const selected = selectedFields(eventFields, options.select);
  checkOptions(call);
  const selection = eventSelection(options.filter);
  const after = skipTokenOf(options.skipToken)?.cursor ?? selection.after;
  const size = pageSize(call);
  const { events, nextAfter, hasMore } = await eventsAfter(call, { selection, after, size });
  const cursor = hasMore ? nextAfter : undefined;
  return {
    body: {
      '@odata.context': contextUrl(call, 'EntityEvent'),
      value: events.map((event) => shownEvent(call, event, selected)),
      ...nextPageLink(call, { path: 'EntityEvent', cursor, shown: events.length }),
    },
    headers: appliedPageSize(preferences.maxPageSize),
  };
}

/** One event by its number. Throws `not_found`. */
export async function readEvent(call: ResoCall, key: string): Promise<ResoAnswer> {
  const selected = selectedFields(eventFields, call.options.select);
  const value = { kind: 'number', value: Number(key), at: 0 } as const;
  const operand = { path: { kind: 'path', name: 'EntityEventSequence', at: 0 }, isLowered: false } as const;
  const filter: Expression = { kind: 'compare', operand, operator: 'eq', value, at: 0 };
  const selection = eventSelection(filter);
  const { events } = await eventsAfter(call, { selection, after: selection.after, size: 1 });
  const [event] = events;
  if (event === undefined) throw new RosterError('not_found', `No EntityEvent has the key ${key}.`);
  const context = contextUrl(call, 'EntityEvent', true);
  return { body: { '@odata.context': context, ...shownEvent(call, event, selected) } };
}

function checkOptions({ options }: ResoCall): void {
  const unsupported = (['expand', 'skip', 'count'] as const).find((name) => options[name] !== undefined);
  if (unsupported !== undefined && options[unsupported] !== false)
    throw optionError(
      `$${unsupported}`,
      'not_supported',
      'is not an option of EntityEvent: follow @odata.nextLink',
    );
  const [key, ...others] = options.orderBy ?? [];
  if (key === undefined) return;
  if (key.path.name === 'EntityEventSequence' && !key.isDescending && others.length === 0) return;
  throw optionError('$orderby', 'not_supported', 'must be EntityEventSequence, in which order events come');
}

type Event = EventPage['items'][number];

interface Reading {
  selection: EventSelection;
  after: string;
  size: number;
}

async function eventsAfter(
  { context, request }: ResoCall,
  { selection, after, size }: Reading,
): Promise<{ events: Event[]; nextAfter: string; hasMore: boolean }> {
  const { types, subject, last } = selection;
  const events: Event[] = [];
  let nextAfter = after;
  let hasMore = true;
  for (let calls = 0; calls < CALLS_MAX && hasMore && events.length < size; calls += 1) {
    if (calls > 0) await context.request.charge(1);
    const limit = Math.min(EVENTS_OF_CALL, size - events.length);
    const input = { after: nextAfter, types, ...(subject && { subject }), limit };
    const page = (await callProcedure(
      { path: 'events.list', type: 'query', input },
      { context },
    )) as EventPage;
    const wanted = page.items.filter(({ position }) => position <= last);
    events.push(...wanted);
    hasMore =
      page.hasMore && wanted.length === page.items.length && Number.parseInt(page.nextAfter, 10) < last;
    nextAfter = page.nextAfter;
    if (request.raw.destroyed) break;
  }
  return { events, nextAfter, hasMore };
}

function shownEvent(call: ResoCall, { position, type, subject }: Event, selected: readonly ResoField[]) {
  const name = type.startsWith('office.') ? 'Office' : 'Member';
  const values: Record<string, unknown> = {
    EntityEventSequence: position,
    ResourceName: name,
    ResourceRecordKey: subject,
    ResourceRecordUrl: entityUrl(call, name, subject),
  };
  return Object.fromEntries(selected.map((one) => [one.name, values[one.name]]));
}

import type { z } from 'zod';
import { type Caller, limitFor } from '../access/caller.ts';
import { checkScopes, type Scope } from '../access/scopes.ts';
import type { OfficeLimit } from '../engine/office-limit.ts';
import { RosterError } from '../errors/roster-error.ts';
import { eventsFor } from '../log/events-for.ts';
import type { EventNotifier } from '../log/notifier.ts';
import {
  type EventFilter,
  type EventSlice,
  lastPosition,
  readEvents,
  readLogEnds,
} from '../log/repository.ts';
import { type EventType, isAdminType, isKnownType, readScopesOf } from '../log/types.ts';
import type { CallContext } from '../trpc/context.ts';
import type { Event, EventPage, EventQuery } from './schemas.ts';

interface EventRequest {
  /** A position, a position with `~` (see `readFrom`), or `latest` for the end of the log. */
  after: string;
  types?: EventType[] | undefined;
  subject?: string | undefined;
  actorId?: string | undefined;
  limit: number;
}

type Reading = Pick<CallContext, 'db' | 'caller' | 'limit'>;

type FollowRequest = Omit<EventRequest, 'limit'>;

function expired(detail: string): RosterError {
  return new RosterError('cursor_expired', detail);
}

/** Reads a part of the log that passes a check, as the caller may see it. */
async function readSlice(
  { db, caller, limit }: Reading,
  filter: Omit<EventFilter, 'officeLimit'>,
  check: (slice: EventSlice<Event>) => void,
): Promise<EventSlice<Event>> {
  const slice = await readEvents<Event>(db, { ...filter, officeLimit: limit });
  check(slice);
  return { ...slice, items: await eventsFor(db, slice.items.filter(isKnownType), { caller, limit }) };
}

/**
 * Reads events after a cursor. The compacted log has only the newest event of each record, so you can enter
 * it only at its beginning; cursors in it have a `~`. From a position that was compacted since, events would
 * be missed. Throws `cursor_expired`.
 */
function readFrom(reading: Reading, { after, ...request }: EventRequest): Promise<EventSlice<Event>> {
  const filter = { ...request, after: Number.parseInt(after, 10), isBackward: false };
  return readSlice(reading, filter, (slice) => checkStart(after, slice));
}

/**
 * Reads events before a cursor, the latest first. Compaction hides no record: its newest event remains, or was
 * read before. Throws `cursor_expired`.
 */
function readBack(reading: Reading, { after, ...request }: EventRequest): Promise<EventSlice<Event>> {
  const isFromEnd = after === 'latest';
  const start = isFromEnd ? Number.MAX_SAFE_INTEGER : Number.parseInt(after, 10);
  return readSlice(reading, { ...request, after: start, isBackward: true }, (slice) => {
    if (!isFromEnd) checkInLog(after, slice);
  });
}

function checkInLog(after: string, { lastPosition: last }: Pick<EventSlice<Event>, 'lastPosition'>): void {
  if (Number.parseInt(after, 10) <= last) return;
  throw expired(`The log ends at ${last}; ${after} belongs to a different log, or to a later one.`);
}

/** Throws `cursor_expired` for a cursor that is not of this log, or whose later events are no longer kept. */
export function checkStart(
  after: string,
  slice: Pick<EventSlice<Event>, 'lastPosition' | 'compactedTo'>,
): void {
  checkInLog(after, slice);
  const { compactedTo } = slice;
  const start = Number.parseInt(after, 10);
  if (start < compactedTo && start !== 0 && !after.endsWith('~'))
    throw expired(
      `The log is compacted up to ${compactedTo}. Events after ${after} are no longer available.`,
    );
}

/** Throws `insufficient_scope`, also if limited access asks for other than record events. */
export function limitOf(caller: Caller, types: EventType[] | undefined): OfficeLimit | undefined {
  checkScopes(caller, ['events:read', ...readScopesOf(types)]);
  const limit = limitFor(caller, { scope: 'events:read' });
  const ofAdmin = types?.filter(isAdminType) ?? [];
  const isLimited = (scope: Scope) => limitFor(caller, { scope }) !== undefined;
  if (ofAdmin.length === 0 || (limit === undefined && !readScopesOf(ofAdmin).some(isLimited))) return limit;
  const detail = 'Your access is restricted to certain offices, so you can only read events of records.';
  throw new RosterError('insufficient_scope', detail);
}

/** Throws `cursor_expired`. */
export async function listEvents(
  ctx: Reading,
  { sort, after = sort === 'position' ? '0' : 'latest', ...filter }: z.output<typeof EventQuery>,
): Promise<EventPage> {
  const request = { ...filter, after };
  if (sort === '-position') {
    const { items, scannedTo, compactedTo } = await readBack(ctx, request);
    return { items, nextAfter: cursorAt(scannedTo, compactedTo), hasMore: scannedTo > 1, compactedTo };
  }
  if (after === 'latest') {
    const { lastPosition: end, compactedTo } = await readLogEnds(ctx.db);
    return { items: [], nextAfter: end, hasMore: false, compactedTo };
  }
  const { items, scannedTo, compactedTo, ...slice } = await readFrom(ctx, request);
  const hasMore = scannedTo < slice.lastPosition;
  return { items, nextAfter: cursorAt(scannedTo, compactedTo), hasMore, compactedTo };
}

/** The start of a stream: `latest` becomes a position. Throws `cursor_expired`. */
export async function resolveStart(ctx: Reading, request: FollowRequest): Promise<string> {
  if (request.after === 'latest') return lastPosition(ctx.db);
  await readFrom(ctx, { ...request, limit: 1 });
  return request.after;
}

function cursorAt(position: number, compactedTo: number): string {
  return position < compactedTo ? `${position}~` : String(position);
}

export interface EventWithCursor {
  cursor: string;
  event: Event;
}

export interface EventCollaborators {
  notifier: EventNotifier;
}

/** A stream waits this long for a notification before it polls. */
const POLL_INTERVAL_MS = 1_000;
const BATCH_SIZE = 200;

/**
 * Yields all events after a cursor, present and future, once and in order, until the signal aborts. Reads the
 * next batch when the previous one is consumed. Throws `cursor_expired`, and `unauthenticated` or
 * `insufficient_scope` when the key becomes invalid or loses a scope. Applies the caller's current limit.
 */
export async function* followEvents(
  ctx: Pick<CallContext, 'db' | 'caller' | 'request' | 'limit'> & EventCollaborators,
  request: FollowRequest,
  signal: AbortSignal,
): AsyncGenerator<EventWithCursor, void, void> {
  const { notifier } = ctx;
  let { after } = request;
  let { caller, limit } = ctx;
  while (!signal.aborted) {
    const version = notifier.version();
    const slice = await readFrom({ db: ctx.db, caller, limit }, { ...request, after, limit: BATCH_SIZE });
    after = cursorAt(slice.scannedTo, slice.compactedTo);
    const readAt = performance.now();
    for (const event of slice.items) {
      const cursor = cursorAt(event.position, slice.compactedTo);
      yield { cursor, event };
      if (signal.aborted) return;
      if (performance.now() - readAt < POLL_INTERVAL_MS) continue;
      // Discards events read before the rights of a slow reader may have changed.
      after = cursor;
      break;
    }
    if (after === cursorAt(slice.lastPosition, slice.compactedTo))
      await notifier.waitForChange(version, POLL_INTERVAL_MS, signal);
    caller = await ctx.request.reauthenticate();
    limit = limitOf(caller, request.types);
  }
}

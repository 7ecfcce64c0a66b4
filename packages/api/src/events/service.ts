import type { OfficeLimit } from '../engine/office-limit.ts';
import { RosterError } from '../errors/roster-error.ts';
import { type Caller, limitFor } from '../identity/access/caller.ts';
import { checkScopes, type Scope } from '../identity/access/scopes.ts';
import type { CallContext } from '../trpc/context.ts';
import { eventsFor } from './log/events-for.ts';
import type { EventNotifier } from './log/notifier.ts';
import { type EventSlice, lastPosition, readEvents } from './log/repository.ts';
import { type EventType, isAdminType, isKnownType, readScopesOf } from './log/types.ts';
import type { Event, EventPage } from './schemas.ts';

export interface EventRequest {
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

/**
 * Reads events after a cursor. The compacted log has only the newest event of each record, so you can enter
 * it only at its beginning; cursors in it have a `~`. From a position that was compacted since, events would
 * be missed. Throws `cursor_expired`.
 */
async function readFrom(
  { db, caller, limit: officeLimit }: Reading,
  { after, ...request }: EventRequest,
): Promise<EventSlice<Event>> {
  const start = Number.parseInt(after, 10);
  const slice = await readEvents<Event>(db, { ...request, after: start, officeLimit });
  checkStart(after, slice);
  return {
    ...slice,
    items: await eventsFor(db, slice.items.filter(isKnownType), { caller, limit: officeLimit }),
  };
}

/** Throws `cursor_expired` for a cursor that is not of this log, or whose later events are no longer kept. */
export function checkStart(
  after: string,
  { lastPosition: last, compactedTo }: Pick<EventSlice<Event>, 'lastPosition' | 'compactedTo'>,
): void {
  const start = Number.parseInt(after, 10);
  if (start > last)
    throw expired(`The log ends at ${last}; ${after} belongs to a different log, or to a later one.`);
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
export async function listEvents(ctx: Reading, request: EventRequest): Promise<EventPage> {
  if (request.after === 'latest') return { items: [], nextAfter: await lastPosition(ctx.db), hasMore: false };
  const { items, scannedTo, ...slice } = await readFrom(ctx, request);
  return {
    items,
    nextAfter: cursorAt(scannedTo, slice.compactedTo),
    hasMore: scannedTo < slice.lastPosition,
  };
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

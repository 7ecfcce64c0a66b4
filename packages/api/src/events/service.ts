import { checkScopes } from '../api-keys/authenticator.ts';
import { RosterError } from '../errors/roster-error.ts';
import type { Context } from '../trpc/context.ts';
import { endOfLog, readEvents, type Stretch } from './repository.ts';
import type { Event, EventPage } from './schemas.ts';
import { type EventType, readScopesOf } from './types.ts';

/** What a reader of the log asks for. */
export interface EventsAsked {
  /** A position, `position~` while reading the compacted part from its start, or `latest`. */
  after: string;
  types?: EventType[] | undefined;
  subject?: string | undefined;
  limit: number;
}

function expired(detail: string): RosterError {
  return new RosterError('cursor_expired', detail);
}

/**
 * Reads the log onward from a place. The compacted part of it holds for each record only the newest event of that
 * time: whoever begins at the start may read it, and is marked (`~`) while in it; whoever read on from before it
 * was compacted would miss events, and is refused. Throws `cursor_expired`.
 */
async function readFrom({ db }: Pick<Context, 'db'>, { after, ...reading }: EventsAsked): Promise<Stretch> {
  const start = Number.parseInt(after, 10);
  const stretch = await readEvents(db, { ...reading, after: start });
  const { lastPosition, compactedTo } = stretch;
  if (start > lastPosition) {
    throw expired(`The log ends at ${lastPosition}; ${after} belongs to another log, or to a later one.`);
  }
  if (start < compactedTo && start !== 0 && !after.endsWith('~')) {
    throw expired(`The log is compacted up to ${compactedTo}; events after ${after} are gone.`);
  }
  return stretch;
}

/** Some events onward from a place in the log, and where to go on. Throws `cursor_expired`. */
export async function readOn(ctx: Pick<Context, 'db'>, asked: EventsAsked): Promise<EventPage> {
  if (asked.after === 'latest') return { items: [], nextAfter: await endOfLog(ctx.db), hasMore: false };
  const { items, lastPosition, compactedTo, lookedTo } = await readFrom(ctx, asked);
  return { items, nextAfter: placeAt(lookedTo, compactedTo), hasMore: lookedTo < lastPosition };
}

/** The place a follower begins at: the end of the log as it is now, where they ask for no other. Throws `cursor_expired`. */
export async function startOf(ctx: Pick<Context, 'db'>, asked: Omit<EventsAsked, 'limit'>): Promise<string> {
  if (asked.after === 'latest') return endOfLog(ctx.db);
  await readFrom(ctx, { ...asked, limit: 1 });
  return asked.after;
}

function placeAt(position: number, compactedTo: number): string {
  return position < compactedTo ? `${position}~` : String(position);
}

/** An event, and where a reader who has seen it goes on. */
export interface Placed {
  place: string;
  event: Event;
}

/** How long a follower waits for a notice before it looks by itself. */
const LOOK_EVERY_MS = 1_000;
const READ_AT_ONCE = 200;

/**
 * All events onward from a place, and those to come, each once and in order, until the signal fires. Nothing is read
 * ahead of whoever takes them. Ends with the refusal of the caller's key
 * where it stops being valid or loses the scope. Throws `cursor_expired`.
 */
export async function* follow(
  ctx: Pick<Context, 'db' | 'request' | 'services'>,
  asked: Omit<EventsAsked, 'limit'>,
  signal: AbortSignal,
): AsyncGenerator<Placed, void, void> {
  const { request, services } = ctx;
  let { after } = asked;
  while (!signal.aborted) {
    const seen = services.notifier.version();
    const { items, lastPosition, compactedTo, lookedTo } = await readFrom(ctx, {
      ...asked,
      after,
      limit: READ_AT_ONCE,
    });
    for (const event of items) {
      yield { place: placeAt(event.position, compactedTo), event };
      if (signal.aborted) return;
    }
    after = placeAt(lookedTo, compactedTo);
    if (lookedTo === lastPosition) await services.notifier.waitForChange(seen, LOOK_EVERY_MS, signal);
    checkScopes(await request.reauthenticate(), ['events:read', ...readScopesOf(asked.types)]);
  }
}

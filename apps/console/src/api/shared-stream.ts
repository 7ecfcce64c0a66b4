import type { EventType, FollowedEvent } from '@roster/client';
import { callerQuery } from './caller.ts';
import { isUnauthenticated, queryClient, roster } from './client.ts';
import { serviceNow } from './connection.ts';
import { onSignIn } from './session-end.ts';

export type StreamNews =
  | { type: 'event'; event: FollowedEvent }
  | { type: 'cursor'; cursor: string }
  | { type: 'joined' }
  | { type: 'connected' }
  | { type: 'interrupted' }
  | { type: 'signed-out' }
  /** Events may be missing: what is shown has to be read again, records only if any has changed. */
  | { type: 'gap'; hasRecords: boolean };

type OnNews = (news: StreamNews) => void;

export interface StreamOptions {
  /** The person that follows. The tabs of one person share a stream, and nobody is told what another person may read. */
  callerId: string;
  types: EventType[];
  /** Those of the types that are about records. */
  recordTypes: EventType[];
  onNews: OnNews;
}

/** The pause before the stream is opened again after an error that the client does not retry, in milliseconds. */
const REOPEN_MS = 5_000;

/** A tab that has heard nothing for longer reads again what it shows, instead of every event since, in milliseconds. */
const RESUME_MAX_MS = 60_000;

/** Undefined in a page that was loaded over http from another computer: there the browser has no locks. */
const locks: LockManager | undefined = navigator.locks;

function pause(signal: AbortSignal, delayMs?: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = delayMs === undefined ? undefined : setTimeout(resolve, delayMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Whether someone else than a caller is signed in now; false if that cannot be read. */
async function isSomeoneElse(callerId: string): Promise<boolean> {
  const caller = await queryClient.fetchQuery(callerQuery).catch(() => undefined);
  return caller !== undefined && caller.id !== callerId;
}

/** A change is in the log once it is committed, which is as long after its time at most, in milliseconds. */
const COMMIT_MAX_MS = 30_000;

/** Whether a record was changed since this page was loaded; true if that cannot be read. */
async function hasNewRecords(types: EventType[]): Promise<boolean> {
  const query = { sort: '-position', types, limit: 1 } as const;
  const read = await roster.events.list.query(query).catch(() => undefined);
  const [latest] = read?.items ?? [];
  if (latest === undefined) return read?.hasMore !== false;
  const ageMs = serviceNow() - Date.parse(latest.occurredAt);
  return ageMs < Date.now() - performance.timeOrigin + COMMIT_MAX_MS;
}

class SharedStream {
  readonly #options: StreamOptions;
  readonly #name: string;
  #channel: BroadcastChannel | undefined;
  #isHolder = false;
  /** The cursor after the last event that this tab was told; undefined if it does not know. */
  #cursor: string | undefined;
  #position = Number.NEGATIVE_INFINITY;
  #heardAt = 0;
  /** Whether it is not known yet how far the others were when this tab began to listen. */
  #isJoining = true;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#name = `roster.events:${options.callerId}:${options.types}`;
  }

  listen(signal: AbortSignal): void {
    if (locks === undefined) return;
    const channel = new BroadcastChannel(this.#name);
    this.#channel = channel;
    signal.addEventListener('abort', () => {
      channel.close();
      this.#channel = undefined;
    });
    channel.addEventListener('message', ({ data }: MessageEvent<StreamNews>) => {
      if (data.type !== 'joined') this.#hear(data);
      else if (this.#isHolder && this.#cursor !== undefined)
        channel.postMessage({ type: 'cursor', cursor: this.#cursor } satisfies StreamNews);
    });
    channel.postMessage({ type: 'joined' } satisfies StreamNews);
  }

  /**
   * Waits for the lock, and has the stream while it has the lock, until the signal fires. It goes on after the last event that it was
   * told; a tab that was told none follows from now on, and reads again what it has read before.
   */
  async hold(signal: AbortSignal): Promise<void> {
    if (locks === undefined) return this.#follow(signal);
    const holdLock = () => {
      void this.#follow(signal);
      // The lock is free as soon as the signal fires, whatever the stream does then.
      return pause(signal);
    };
    await locks.request(this.#name, { signal }, holdLock).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  forget(): void {
    this.#cursor = undefined;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#isHolder = true;
    this.#isJoining = false;
    signal.addEventListener('abort', () => {
      this.#isHolder = false;
    });
    if (Date.now() - this.#heardAt > RESUME_MAX_MS) this.forget();
    while (!signal.aborted) {
      const signIn = new AbortController();
      const stopListening = onSignIn(() => signIn.abort());
      const either = AbortSignal.any([signal, signIn.signal]);
      try {
        await this.#read(either);
      } catch (error) {
        if (signal.aborted) return;
        // The cursor may have expired, or be of someone else.
        this.forget();
        if (isUnauthenticated(error) && !either.aborted) this.#tell({ type: 'signed-out' });
        await pause(either, isUnauthenticated(error) ? undefined : REOPEN_MS);
        // Rights that were withdrawn end the stream for good: what is shown, rights among it, is read again without one.
        if (!either.aborted) this.#tell({ type: 'gap', hasRecords: true });
      } finally {
        stopListening();
      }
      // Of someone else the page follows another stream, of what they may read, and ends this one.
      if (signIn.signal.aborted && (await isSomeoneElse(this.#options.callerId))) await pause(signal);
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const query = { types: this.#options.types, ...(this.#cursor !== undefined && { after: this.#cursor }) };
    let isFromNow = this.#cursor === undefined;
    const tell = (news: StreamNews) => {
      if (!signal.aborted) this.#tell(news);
    };
    const events = roster.events.follow(query, {
      signal,
      onInterruption: () => tell({ type: 'interrupted' }),
      onCursor: (cursor) => tell({ type: 'cursor', cursor }),
      onConnected: () => {
        tell({ type: 'connected' });
        if (isFromNow) void this.#mindGap(signal);
        isFromNow = false;
      },
    });
    for await (const event of events) tell({ type: 'event', event });
  }

  /** All tabs may have heard less than all there was until now; those that were loaded before this one in any case. */
  async #mindGap(signal: AbortSignal): Promise<void> {
    this.#post({ type: 'gap', hasRecords: true });
    const hasRecords = await hasNewRecords(this.#options.recordTypes);
    if (!signal.aborted) this.#hear({ type: 'gap', hasRecords });
  }

  #tell(news: StreamNews): void {
    this.#post(news);
    this.#hear(news);
  }

  #post(news: StreamNews): void {
    this.#channel?.postMessage(news);
  }

  #hear(news: StreamNews): void {
    this.#heardAt = Date.now();
    if (news.type === 'cursor') {
      // The others were told events after this page had read, and before it listened.
      const isBehind = this.#cursor === undefined || positionOf(news.cursor) > positionOf(this.#cursor);
      if (this.#isJoining && isBehind) this.#options.onNews({ type: 'gap', hasRecords: true });
      this.#isJoining = false;
      this.#cursor = news.cursor;
    }
    if (news.type === 'event') {
      const { cursor, position } = news.event;
      // The tab that has the stream now was told less than this one, and tells it again.
      if (position <= this.#position) return;
      this.#cursor = cursor;
      this.#position = position;
    }
    this.#options.onNews(news);
  }
}

const positionOf = (cursor: string) => Number.parseInt(cursor, 10);

/**
 * Follows events of some types until the signal fires, by one stream for all tabs of a person in this browser: over HTTP/1.1 a browser
 * opens six connections to a host, and a stream takes one as long as it is open.
 *
 * Only a tab that is seen has the stream; tabs that are hidden hear of it. When the tab is hidden, closed or ended, the lock goes to
 * another one. Browsers slow hidden tabs down, and some suspend them without a word: such a tab would keep the lock from all others.
 * A page that is left, which the browser may keep to show it again, and one that it freezes hear nothing, and read everything again
 * when they are back.
 */
export function followStream(options: StreamOptions, signal: AbortSignal): void {
  const stream = new SharedStream(options);
  let isNew = true;
  let listening: AbortController | undefined;
  let holding: AbortController | undefined;
  const hide = () => {
    holding?.abort();
    holding = undefined;
  };
  const show = () => {
    if (listening === undefined || holding !== undefined || document.hidden) return;
    holding = new AbortController();
    void stream.hold(holding.signal);
  };
  const enter = () => {
    if (listening !== undefined) return;
    listening = new AbortController();
    stream.listen(listening.signal);
    show();
    if (!isNew) options.onNews({ type: 'gap', hasRecords: true });
    isNew = false;
  };
  const leave = () => {
    hide();
    listening?.abort();
    listening = undefined;
    stream.forget();
  };
  window.addEventListener('pagehide', leave, { signal });
  window.addEventListener('pageshow', enter, { signal });
  document.addEventListener('freeze', leave, { signal });
  document.addEventListener('resume', enter, { signal });
  const onVisibility = () => (document.hidden ? hide() : show());
  document.addEventListener('visibilitychange', onVisibility, { signal });
  signal.addEventListener('abort', leave);
  enter();
}

import type { EventType, FollowedEvent } from '@roster/client';
import { isUnauthenticated, roster } from './client.ts';
import { onSignIn } from './session-end.ts';

/** What happens to the stream. All tabs of the browser are told. */
export type StreamNews =
  | { type: 'event'; event: FollowedEvent }
  /** Where the stream is, without an event. */
  | { type: 'cursor'; cursor: string }
  /** A tab that has opened asks for the cursor. */
  | { type: 'joined' }
  | { type: 'connected' }
  | { type: 'interrupted' }
  | { type: 'signed-out' }
  /** Events may be missing: what is shown has to be read again. */
  | { type: 'gap' };

type OnNews = (news: StreamNews) => void;

interface StreamOptions {
  types: EventType[];
  onNews: OnNews;
}

/** How a tab holds the stream. */
interface Holding {
  tell: OnNews;
  signal: AbortSignal;
  /** Whether events may have been missed before, if the cursor is not known. */
  isGap: boolean;
}

const NAME = 'roster.events';

/** How long to wait before the stream is opened again after an error that the client does not retry, in milliseconds. */
const REOPEN_MS = 5_000;

/** Undefined in a page that was not loaded over https: there the browser has no locks. */
const locks: LockManager | undefined = navigator.locks;

/** Waits until the signal fires, or the time is over if there is one. */
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

/** The part of one tab in the stream of all. */
class SharedStream {
  readonly #types: EventType[];
  readonly #onNews: OnNews;
  /** The cursor after the last event that this tab was told; undefined if it does not know. */
  #cursor: string | undefined;
  #position = Number.NEGATIVE_INFINITY;

  constructor({ types, onNews }: StreamOptions) {
    this.#types = types;
    this.#onNews = onNews;
  }

  /**
   * Takes part until the signal fires: the tab that has the lock has the stream, and the others hear from it. If that tab closes, or
   * the browser ends or freezes it, another one has the lock, and goes on after the last event that it was told.
   */
  async takePart(signal: AbortSignal): Promise<void> {
    const name = `${NAME}:${this.#types}`;
    const channel = new BroadcastChannel(name);
    signal.addEventListener('abort', () => channel.close());
    const tell = (news: StreamNews) => {
      if (signal.aborted) return;
      channel.postMessage(news);
      this.#hear(news);
    };
    let holds = false;
    channel.addEventListener('message', ({ data }: MessageEvent<StreamNews>) => {
      if (data.type !== 'joined') this.#hear(data);
      else if (holds && this.#cursor !== undefined) tell({ type: 'cursor', cursor: this.#cursor });
    });
    channel.postMessage({ type: 'joined' } satisfies StreamNews);
    const isFirst = await isFree(name);
    if (signal.aborted) return;
    const hold = () => {
      holds = true;
      return this.#hold({ tell, signal, isGap: !isFirst });
    };
    await locks?.request(name, { signal }, hold).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  /** Has a stream of its own until the signal fires. */
  holdAlone(signal: AbortSignal, { isGap }: { isGap: boolean }): Promise<void> {
    return this.#hold({ tell: (news) => this.#hear(news), signal, isGap });
  }

  /** Forgets how far it was: the page heard nothing for a time. */
  forget(): void {
    this.#cursor = undefined;
  }

  /** Holds the stream until the signal fires. */
  async #hold({ tell, signal, isGap }: Holding): Promise<void> {
    let mayMiss = isGap;
    while (!signal.aborted) {
      const signIn = new AbortController();
      const stopListening = onSignIn(() => signIn.abort());
      const either = AbortSignal.any([signal, signIn.signal]);
      try {
        await this.#read({ tell, signal: either, isGap: mayMiss });
      } catch (error) {
        this.#cursor = undefined;
        mayMiss = true;
        if (either.aborted) continue;
        if (isUnauthenticated(error)) tell({ type: 'signed-out' });
        await pause(either, isUnauthenticated(error) ? undefined : REOPEN_MS);
      } finally {
        stopListening();
      }
    }
  }

  /** Reads the stream until it fails. */
  async #read({ tell, signal, isGap }: Holding): Promise<void> {
    const query = { types: this.#types, ...(this.#cursor !== undefined && { after: this.#cursor }) };
    let mustTell = isGap && this.#cursor === undefined;
    const events = roster.events.follow(query, {
      signal,
      onInterruption: () => tell({ type: 'interrupted' }),
      onCursor: (cursor) => tell({ type: 'cursor', cursor }),
      onConnected: () => {
        tell({ type: 'connected' });
        if (mustTell) tell({ type: 'gap' });
        mustTell = false;
      },
    });
    for await (const event of events) tell({ type: 'event', event });
  }

  #hear(news: StreamNews): void {
    if (news.type === 'cursor') this.#cursor = news.cursor;
    if (news.type === 'event') {
      const { cursor, position } = news.event;
      // The tab that has the stream now was told less than this one, and tells it again.
      if (position <= this.#position) return;
      this.#cursor = cursor;
      this.#position = position;
    }
    this.#onNews(news);
  }
}

/** Whether no tab has the stream yet. */
async function isFree(name: string): Promise<boolean> {
  const { held = [] } = (await locks?.query()) ?? {};
  return !held.some((lock) => lock.name === name);
}

/**
 * Follows events of some types until the signal fires, by one stream for all tabs of this browser: a browser opens six connections
 * to a host over HTTP/1.1, and a stream is one for ever. A page that is left, and that the browser keeps to show it again, or one
 * that it freezes, has no part in it. Without locks a tab has a stream of its own while it is seen.
 */
export function followStream(options: StreamOptions, signal: AbortSignal): void {
  const stream = new SharedStream(options);
  let part: AbortController | undefined;
  const stop = () => {
    part?.abort();
    part = undefined;
  };
  const start = (isAgain: boolean) => {
    if (part !== undefined || signal.aborted) return;
    part = new AbortController();
    if (isAgain) stream.forget();
    if (locks === undefined) return void stream.holdAlone(part.signal, { isGap: isAgain });
    void stream.takePart(part.signal);
    if (isAgain) options.onNews({ type: 'gap' });
  };
  const isSeen = () => document.visibilityState === 'visible';
  const resume = () => {
    if (locks !== undefined || isSeen()) start(true);
  };
  window.addEventListener('pagehide', stop, { signal });
  window.addEventListener('pageshow', resume, { signal });
  document.addEventListener('freeze', stop, { signal });
  document.addEventListener('resume', resume, { signal });
  if (locks === undefined) {
    document.addEventListener('visibilitychange', () => (isSeen() ? resume() : stop()), { signal });
  }
  signal.addEventListener('abort', stop);
  if (locks !== undefined || isSeen()) start(false);
}

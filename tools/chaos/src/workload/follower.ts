import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStreamParser } from '../../../../packages/client/src/events/sse.ts';
import type { Followed } from '../checker/evidence.ts';
import { eventDigestOf } from '../history.ts';

interface FollowerOptions {
  name: string;
  port: number;
  key: string;
}

/** Under load there is always something; a stream that is silent for so long has lost its server. */
const SILENCE_MS = 3_000;
const RETRY_MS = 200;
const GONE = 410;

/** A client that follows the stream of events from the start of the log, and goes on wherever it broke off. */
export class Follower {
  readonly followed: Followed;
  /** The position it has come to. */
  place = 0;
  readonly #options: FollowerOptions;
  readonly #stopping = new AbortController();
  readonly #reading: Promise<void>;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.followed = { name: options.name, start: 0, items: [], expiries: [] };
    this.#reading = this.#keepReading();
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#reading;
  }

  async #keepReading(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#read().catch(() => undefined);
      await sleep(RETRY_MS);
    }
  }

  async #read(): Promise<void> {
    const { port, key } = this.#options;
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      path: '/events/stream',
      agent: false,
      timeout: SILENCE_MS,
      signal: this.#stopping.signal,
      headers: { Authorization: `Bearer ${key}`, 'Last-Event-ID': String(this.place) },
    });
    request.on('timeout', () => request.destroy(new Error('the stream is silent')));
    request.on('error', () => undefined);
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode === GONE) this.followed.expiries.push(`position ${this.place}`);
    if (response.statusCode !== 200) {
      response.resume();
      return;
    }
    const parser = new EventStreamParser();
    for await (const chunk of response) for (const { data } of parser.push(chunk)) this.#take(data);
  }

  /** An event; or the problem for which the stream ends, which has no position. */
  #take(data: string | undefined): void {
    if (data === undefined) return;
    const {
      position,
      status,
      detail = '',
    } = JSON.parse(data) as {
      position?: number;
      status?: number;
      detail?: string;
    };
    if (status === GONE) this.followed.expiries.push(detail);
    if (position === undefined) return;
    this.followed.items.push({ position, whole: eventDigestOf(JSON.parse(data)) });
    this.place = position;
  }
}

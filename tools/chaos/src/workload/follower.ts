import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
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

interface Message {
  event?: string;
  data?: string;
}

function messageOf(block: string): Message {
  const message: Message = {};
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(event|data): (.*)$/.exec(line) ?? [];
    if (name === 'event' || name === 'data') message[name] = value;
  }
  return message;
}

async function* messagesOf(response: IncomingMessage): AsyncGenerator<Message> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      yield messageOf(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

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
    for await (const message of messagesOf(response)) this.#take(message);
  }

  #take({ event, data }: Message): void {
    if (data === undefined) return;
    const parsed = JSON.parse(data) as { position: number; status?: number; detail?: string };
    if (event === 'problem') {
      if (parsed.status === GONE) this.followed.expiries.push(parsed.detail ?? '');
      return;
    }
    this.followed.items.push({ position: parsed.position, whole: eventDigestOf(parsed) });
    this.place = parsed.position;
  }
}

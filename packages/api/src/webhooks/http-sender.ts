import type { IncomingMessage } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { createResolver } from './dns-resolver.ts';
import type { Attempt } from './schemas.ts';
import { ForbiddenTarget, faultOfTarget, guardedLookup, type Resolve } from './ssrf-guard.ts';

/** What is sent, and where to. */
export interface Message {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What came of it. */
export interface Answer {
  attempt: Attempt;
  /** What the receiver said in Retry-After, in milliseconds from now. */
  retryAfterMs?: number | undefined;
}

export interface SenderOptions {
  /** Whether receivers may be in private networks, and be called by plain http. */
  isPrivateAllowed: boolean;
  /** How names are resolved; by c-ares (`resolver.ts`) unless given. */
  resolve?: Resolve | undefined;
  /** How long an attempt may take as a whole: 20,000 ms unless given. */
  timeoutMs?: number | undefined;
  /** How long the body of an answer is read, after its status: 1,000 ms unless given. */
  bodyTimeoutMs?: number | undefined;
  /** The clock that a time in Retry-After is compared with; that of the machine unless given. */
  now?: (() => Date) | undefined;
}

/** Calls receivers. */
export interface Sender {
  isPrivateAllowed: boolean;
  /** Sends a message once. Never rejects: that nothing came back is an answer too. */
  send(message: Message, options?: SendOptions): Promise<Answer>;
}

/** What holds for one attempt. */
interface SendOptions {
  /** Ends the attempt when it fires. */
  signal?: AbortSignal | undefined;
  /** How long it may take at most, where that is less than what every attempt may take. */
  timeoutMs?: number | undefined;
}

export const TIMEOUT_MS = 20_000;
/** A status settles a delivery, so that a receiver which sends its body slowly holds nothing up. */
export const BODY_TIMEOUT_MS = 1_000;
export const BODY_MAX_BYTES = 64 * 1024;
const BODY_SHOWN_CHARACTERS = 500;

/** Sends messages, to nobody who may not be called; redirects are not followed. */
export function createSender(options: SenderOptions): Sender {
  const { isPrivateAllowed, resolve = createResolver(), now = () => new Date() } = options;
  const { timeoutMs: longestMs = TIMEOUT_MS, bodyTimeoutMs = BODY_TIMEOUT_MS } = options;
  const lookup = guardedLookup({ isPrivateAllowed }, resolve);
  return {
    isPrivateAllowed,
    async send(message, { signal, timeoutMs: askedMs = longestMs } = {}) {
      const at = now().toISOString();
      const started = performance.now();
      const timeoutMs = Math.min(askedMs, longestMs);
      const ending = endingOf(signal, timeoutMs);
      const settled = (came: Pick<Attempt, 'status' | 'error' | 'body'>): Attempt => ({
        at,
        durationMs: Math.round(performance.now() - started),
        ...came,
      });
      try {
        const fault = faultOfTarget(message.url, { isPrivateAllowed });
        if (fault !== undefined) throw new ForbiddenTarget(`The URL ${fault}.`);
        const response = await post(message, {
          lookup,
          signal: ending.signal,
        });
        const { statusCode: status = 0 } = response;
        const body = await beginningOf(response, bodyTimeoutMs);
        const error = isSuccess(status) ? null : `The receiver answered ${status}.`;
        return { attempt: settled({ status, error, body }), retryAfterMs: retryAfterOf(response, now()) };
      } catch (error) {
        const reason = ending.isLate() ? `No answer within ${timeoutMs / 1_000} s.` : textOf(error);
        return { attempt: settled({ status: null, error: reason, body: null }) };
      } finally {
        ending.clear();
      }
    },
  };
}

/**
 * What ends an attempt: the signal of the caller, or the time. A timer holds it, where a signal made of others is held by
 * nothing while the attempt waits.
 */
function endingOf(signal: AbortSignal | undefined, timeoutMs: number) {
  const ending = new AbortController();
  let isLate = false;
  const abort = () => ending.abort();
  const timer = setTimeout(() => {
    isLate = true;
    abort();
  }, timeoutMs);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return {
    signal: ending.signal,
    isLate: () => isLate,
    clear: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

/** Whether a status says that the message has arrived. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299;
}

/** A connection of its own for each message, so that the address is looked at each time. */
function post(
  { url, headers, body }: Message,
  options: { lookup: LookupFunction; signal: AbortSignal },
): Promise<IncomingMessage> {
  const { request } = url.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, method: 'POST', headers, agent: false });
    sent.once('response', resolve).on('error', reject).end(body);
  });
}

/** The first characters of a body; what is beyond its bounds, of bytes and of time, is not waited for. */
async function beginningOf(response: IncomingMessage, timeoutMs: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => response.destroy(), timeoutMs);
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= BODY_MAX_BYTES) break;
    }
  } catch {
    // The status has arrived, and the status is what counts.
  }
  clearTimeout(timer);
  response.destroy();
  const text = Buffer.concat(chunks).toString().slice(0, BODY_SHOWN_CHARACTERS);
  // PostgreSQL holds no NUL, and half of a character is none.
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** Retry-After, in either of its forms (RFC 9110, section 10.2.3). */
function retryAfterOf({ headers }: IncomingMessage, now: Date): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now.getTime());
}

function textOf(error: unknown): string {
  if (error instanceof ForbiddenTarget) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    [code, message].filter(Boolean).join(': ').slice(0, BODY_SHOWN_CHARACTERS) || 'The connection failed.'
  );
}

import type { IncomingMessage } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { createResolver } from './dns-resolver.ts';
import { checkUrl, ForbiddenTarget, type Resolve, safeLookup } from './ssrf-guard.ts';

export interface Message {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** One attempt to send a message, as it is stored. */
interface Attempt {
  /** When it started (RFC 3339). */
  at: string;
  /** The status of the response; null without one. */
  status: number | null;
  durationMs: number;
  /** Why the delivery failed; null if it succeeded. */
  error: string | null;
  /** The first characters of the response body; null without one. */
  body: string | null;
}

export interface AttemptResult {
  attempt: Attempt;
  /** The Retry-After of the response, in milliseconds. */
  retryAfterMs?: number | undefined;
}

export interface SenderOptions {
  /** Whether receivers may be in private networks and use plain http. */
  isPrivateAllowed: boolean;
  /** Resolves host names; c-ares (dns-resolver.ts) unless given. */
  resolve?: Resolve | undefined;
  /** The timeout of an attempt: 20,000 ms unless given. */
  timeoutMs?: number | undefined;
  /** The timeout for the body of a response, after its status: 1,000 ms unless given. */
  bodyTimeoutMs?: number | undefined;
  /** The clock for a Retry-After with a date; that of the machine unless given. */
  now?: (() => Date) | undefined;
}

export interface Sender {
  isPrivateAllowed: boolean;
  /** Sends a message once. Never rejects: a failed connection is a result too. */
  send(message: Message, options?: SendOptions): Promise<AttemptResult>;
}

interface SendOptions {
  signal?: AbortSignal | undefined;
  /** A shorter timeout for this attempt. */
  timeoutMs?: number | undefined;
}

export const TIMEOUT_MS = 20_000;
/** The status alone decides about a delivery, so a receiver that sends its body slowly delays nothing. */
const BODY_TIMEOUT_MS = 1_000;
const BODY_MAX_BYTES = 64 * 1024;
const BODY_STORED_CHARACTERS = 500;

/** Creates a sender that calls only allowed receivers (ssrf-guard.ts) and follows no redirects. */
export function createSender(options: SenderOptions): Sender {
  const { isPrivateAllowed, resolve = createResolver(), now = () => new Date() } = options;
  const { timeoutMs: timeoutMaxMs = TIMEOUT_MS, bodyTimeoutMs = BODY_TIMEOUT_MS } = options;
  const lookup = safeLookup({ isPrivateAllowed }, resolve);
  const agentFor = keptConnections();
  return {
    isPrivateAllowed,
    async send(message, { signal, timeoutMs: wantedMs = timeoutMaxMs } = {}) {
      const at = now().toISOString();
      const started = performance.now();
      const timeoutMs = Math.min(wantedMs, timeoutMaxMs);
      const deadline = deadlineOf(signal, timeoutMs);
      const attemptOf = (outcome: Pick<Attempt, 'status' | 'error' | 'body'>): Attempt => ({
        at,
        durationMs: Math.round(performance.now() - started),
        ...outcome,
      });
      try {
        const forbidden = checkUrl(message.url, { isPrivateAllowed });
        if (forbidden !== undefined) throw new ForbiddenTarget(`The URL ${forbidden}.`);
        const response = await post(message, {
          lookup,
          agent: agentFor(message.url),
          signal: deadline.signal,
        });
        const { statusCode: status = 0 } = response;
        const body = await readBody(response, bodyTimeoutMs);
        const error = isSuccess(status) ? null : `The receiver returned ${status}.`;
        return {
          attempt: attemptOf({ status, error, body }),
          retryAfterMs: parseRetryAfter(response, now()),
        };
      } catch (error) {
        const reason = deadline.isOver() ? `No response within ${timeoutMs / 1_000} s.` : messageOf(error);
        return { attempt: attemptOf({ status: null, error: reason, body: null }) };
      } finally {
        deadline.clear();
      }
    },
  };
}

/**
 * A signal that aborts at the timeout or with the caller's signal. AbortSignal.any would not do: while the attempt waits, nothing
 * refers to such a signal, so that it can be collected; a timer refers to this one.
 */
function deadlineOf(signal: AbortSignal | undefined, timeoutMs: number) {
  const controller = new AbortController();
  let isOver = false;
  const abort = () => controller.abort();
  const timer = setTimeout(() => {
    isOver = true;
    abort();
  }, timeoutMs);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    clear: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

/** Whether a status means that the message was delivered. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299;
}

/**
 * The time that a connection waits for the next message: less than receivers wait for one, because a message on a connection that its
 * receiver is just closing is lost.
 */
const IDLE_MS = 1_000;
/** The time for which new messages use connections that are open; then names are resolved, and their addresses checked, again. */
const KEPT_MS = 60_000;

/**
 * Keeps connections open, because one for each message would use up the ports of the machine at some hundred messages a second. Returns
 * a function that selects the agent for a URL.
 */
function keptConnections(): (url: string) => http.Agent {
  const create = () => {
    const options = { keepAlive: true, timeout: IDLE_MS };
    return { plain: new http.Agent(options), tls: new https.Agent(options), sinceMs: performance.now() };
  };
  let agents = create();
  return (url) => {
    // The connections of the previous agents close when they have been idle.
    if (performance.now() - agents.sinceMs > KEPT_MS) agents = create();
    return url.startsWith('https:') ? agents.tls : agents.plain;
  };
}

function post(
  { url, headers, body }: Message,
  options: { lookup: LookupFunction; agent: http.Agent; signal: AbortSignal },
): Promise<IncomingMessage> {
  const { request } = url.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, method: 'POST', headers });
    sent.once('response', resolve).on('error', reject).end(body);
  });
}

/** Reads the first characters of a body, up to a size and a timeout. */
async function readBody(response: IncomingMessage, timeoutMs: number): Promise<string> {
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
    // The status has arrived, and only the status counts.
  }
  clearTimeout(timer);
  response.destroy();
  const text = Buffer.concat(chunks).toString().slice(0, BODY_STORED_CHARACTERS);
  // PostgreSQL stores no NUL and no half of a surrogate pair.
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** Retry-After, in either of its forms (RFC 9110, section 10.2.3). */
function parseRetryAfter({ headers }: IncomingMessage, now: Date): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now.getTime());
}

function messageOf(error: unknown): string {
  if (error instanceof ForbiddenTarget) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    [code, message].filter(Boolean).join(': ').slice(0, BODY_STORED_CHARACTERS) || 'The connection failed.'
  );
}

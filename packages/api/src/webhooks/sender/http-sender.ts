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

interface Attempt {
  /** RFC 3339 */
  at: string;
  status: number | null;
  durationMs: number;
  /** Null on success. */
  error: string | null;
  /** The beginning of the response body; null without one. */
  body: string | null;
}

export interface AttemptResult {
  attempt: Attempt;
  /** In milliseconds. */
  retryAfterMs?: number | undefined;
}

export interface SenderOptions {
  /** Whether receivers can be in private networks and use plain http. */
  isPrivateAllowed: boolean;
  /** Defaults to c-ares (dns-resolver.ts). */
  resolve?: Resolve | undefined;
  /** Per attempt. Defaults to 20,000 ms. */
  timeoutMs?: number | undefined;
  /** For a response's body, after its status. Defaults to 1,000 ms. */
  bodyTimeoutMs?: number | undefined;
  now?: (() => Date) | undefined;
}

export interface Sender {
  isPrivateAllowed: boolean;
  /** Never rejects: a failed connection is a result too. */
  send(message: Message, options?: SendOptions): Promise<AttemptResult>;
}

interface SendOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

export const TIMEOUT_MS = 20_000;
/** Only the status matters, so a slow body delays nothing. */
const BODY_TIMEOUT_MS = 1_000;
const BODY_MAX_BYTES = 64 * 1024;
const BODY_STORED_CHARACTERS = 500;

/** Calls only allowed receivers (ssrf-guard.ts) and follows no redirects. */
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

/** A signal of AbortSignal.any could be garbage-collected during the attempt; the timer keeps this one. */
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

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299;
}

/** Keep-alive, shorter than receivers': a message on a connection being closed is lost. */
const IDLE_MS = 1_000;
/** New messages use open connections this long; then names are resolved and checked again. */
const KEPT_MS = 60_000;

/** A connection for each message would exhaust the ports at some hundred messages a second. */
function keptConnections(): (url: string) => http.Agent {
  const create = () => {
    const options = { keepAlive: true, timeout: IDLE_MS };
    return { plain: new http.Agent(options), tls: new https.Agent(options), sinceMs: performance.now() };
  };
  let agents = create();
  return (url) => {
    // Connections of the previous agents close when idle.
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
  // PostgreSQL stores no NUL and no lone surrogate.
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** In either form (RFC 9110, section 10.2.3). */
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

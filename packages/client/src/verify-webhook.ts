import type { Event, EventType } from './contract.ts';

/** Why a webhook is not accepted. */
export type WebhookFault =
  | 'missing_header'
  | 'invalid_secret'
  | 'timestamp_out_of_tolerance'
  | 'invalid_signature'
  | 'invalid_body';

/** A request that is no webhook of the service, or not one of now. Answer it with 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookFault;

  constructor(code: WebhookFault, message: string) {
    super(message);
    this.code = code;
  }
}

/** An event without its record and what that was before, which together were more than 20 KiB: read it by its subject. */
export type ThinEvent = Omit<Event, 'record' | 'previous'> & { isThin: true };

/** What the service has sent. */
export type WebhookMessage = {
  /** The same whenever the same message is sent again: do nothing for an id that was dealt with before. */
  id: string;
  /** When it was sent, which is another time at each attempt. */
  sentAt: Date;
  /** When it happened: RFC 3339. */
  timestamp: string;
} & ({ type: EventType; data: Event | ThinEvent } | { type: 'webhook.test'; data: { webhookId: string } });

/** A request as it arrived, and what it is checked with. */
export interface WebhookRequest {
  /** The body as it arrived, byte for byte: JSON that was parsed and written again has another signature. */
  body: string | Uint8Array;
  /** Those of fetch, or those of Node, in small letters. */
  headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The secret of the webhook, `whsec_…`; several while it is rotated: a message signed by any of them is accepted. */
  secret: string | readonly string[];
  /** How many seconds the clock of the sender may differ from `now`, either way: 300 unless given. */
  toleranceSeconds?: number | undefined;
  /** The time now; that of the machine unless given. */
  now?: Date | undefined;
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;

function headerOf(headers: WebhookRequest['headers'], name: string): string {
  const given =
    typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name];
  const value = Array.isArray(given) ? given.join(' ') : given;
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('missing_header', `The request has no ${name} header`);
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

async function keyOf(secret: string): Promise<Key> {
  const bytes = bytesOfBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (bytes === undefined || bytes.length === 0)
    throw new WebhookVerificationError('invalid_secret', `A secret is ${PREFIX} and base64`);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function sentAtOf(
  text: string,
  { now = new Date(), toleranceSeconds = TOLERANCE_SECONDS }: WebhookRequest,
): Date {
  const seconds = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  const isNear = Math.abs(now.getTime() / 1_000 - seconds) <= toleranceSeconds;
  if (isNear) return new Date(seconds * 1_000);
  throw new WebhookVerificationError(
    'timestamp_out_of_tolerance',
    `The message was not sent within ${toleranceSeconds} seconds of now`,
  );
}

/** Whether one of the signatures is that of one of the keys. WebCrypto compares in constant time. */
async function isSigned(signed: Uint8Array<ArrayBuffer>, signatures: string, keys: Key[]): Promise<boolean> {
  let isGood = false;
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',');
    const bytes = version === 'v1' ? bytesOfBase64(text) : undefined;
    if (bytes === undefined) continue;
    for (const key of keys) if (await crypto.subtle.verify('HMAC', key, bytes, signed)) isGood = true;
  }
  return isGood;
}

function messageOf(bytes: Uint8Array, id: string, sentAt: Date): WebhookMessage {
  try {
    const message = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as WebhookMessage;
    if (typeof message.type === 'string') return { ...message, id, sentAt };
  } catch {
    // Below it is said what is wrong.
  }
  throw new WebhookVerificationError('invalid_body', 'The body is signed, and is no message of the service');
}

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * Checks that a request is a message of the service (Standard Webhooks 1.0: HMAC-SHA256 over id, time and body, any of
 * several signatures) and was sent just now, and answers the message. Throws a `WebhookVerificationError` for any other.
 * It uses WebCrypto alone, so it runs in Node, Deno, Bun, browsers and edge runtimes.
 *
 * @example
 * const message = await verifyWebhook({ body: await request.text(), headers: request.headers, secret });
 * if (message.type === 'agent.created') await welcome(message.data);
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookMessage> {
  const { body, headers, secret } = request;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string];
  const sentAt = sentAtOf(timestamp, request);
  const encoder = new TextEncoder();
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const keys = await Promise.all([secret].flat().map((one) => keyOf(one as string)));
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), bytes);
  if (!(await isSigned(signed, signatures, keys)))
    throw new WebhookVerificationError('invalid_signature', 'None of the signatures is that of the secret');
  return messageOf(bytes, id, sentAt);
}

import type { Event, EventType } from './contract.d.ts';

export type WebhookErrorCode =
  | 'missing_header'
  | 'invalid_secret'
  | 'timestamp_out_of_tolerance'
  | 'invalid_signature'
  | 'invalid_body';

/** Not a valid, recent webhook of the service. Respond with 400 and ignore it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Without `record` and `previous`, which together exceeded 20 KiB: read the record by its subject. */
export type ThinEvent = Omit<Event, 'record' | 'previous'> & { isThin: true };

export type WebhookMessage = {
  /** The same for all attempts: ignore an ID you have processed. */
  id: string;
  /** When this attempt was sent. */
  sentAt: Date;
  /** When the event happened (RFC 3339). */
  timestamp: string;
} & ({ type: EventType; data: Event | ThinEvent } | { type: 'webhook.test'; data: { webhookId: string } });

export interface WebhookRequest {
  /** The raw body, byte for byte: reserialised JSON has another signature. */
  body: string | Uint8Array;
  /** Headers of fetch, or an object with lower-case names as in Node.js. */
  headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The webhook's `whsec_…`, or several during a rotation: any valid signature counts. */
  secret: string | readonly string[];
  /** Maximum difference between sending and `now`. Defaults to 300 s. */
  toleranceSeconds?: number | undefined;
  /** Defaults to the system clock. */
  now?: Date | undefined;
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;

function headerOf(headers: WebhookRequest['headers'], name: string): string {
  const header =
    typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name];
  const value = Array.isArray(header) ? header.join(' ') : header;
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('missing_header', `The request has no ${name} header`);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

async function importKey(secret: string): Promise<Key> {
  const bytes = decodeBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (bytes === undefined || bytes.length === 0)
    throw new WebhookVerificationError('invalid_secret', `A secret must be ${PREFIX} followed by base64`);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function verifyTimestamp(
  text: string,
  { now = new Date(), toleranceSeconds = TOLERANCE_SECONDS }: WebhookRequest,
): Date {
  const seconds = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  const isRecent = Math.abs(now.getTime() / 1_000 - seconds) <= toleranceSeconds;
  if (isRecent) return new Date(seconds * 1_000);
  throw new WebhookVerificationError(
    'timestamp_out_of_tolerance',
    `The message was not sent within ${toleranceSeconds} seconds of now`,
  );
}

/** WebCrypto compares in constant time. */
async function isSigned(signed: ArrayBuffer, signatures: string, keys: Key[]): Promise<boolean> {
  let isValid = false;
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',');
    const bytes = version === 'v1' ? decodeBase64(text) : undefined;
    if (bytes === undefined) continue;
    for (const key of keys) if (await crypto.subtle.verify('HMAC', key, bytes, signed)) isValid = true;
  }
  return isValid;
}

function parseMessage(body: WebhookRequest['body'], id: string, sentAt: Date): WebhookMessage {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
    const message = JSON.parse(text) as WebhookMessage;
    if (typeof message.type === 'string') return { ...message, id, sentAt };
  } catch {
    // Reported below.
  }
  throw new WebhookVerificationError(
    'invalid_body',
    'The signature is valid, but the body is not a message of the service',
  );
}

/**
 * Verifies that a request is a recent message of the service (Standard Webhooks 1.0: HMAC-SHA256 of ID, timestamp and
 * body, with one or more signatures). Uses only WebCrypto, for Node.js, Deno, Bun, browsers and edge runtimes.
 *
 * @throws WebhookVerificationError for any other request
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
  const sentAt = verifyTimestamp(timestamp, request);
  const keys = await Promise.all([secret].flat().map((one) => importKey(one as string)));
  const signed = await new Blob([
    `${id}.${timestamp}.`,
    body as string | Uint8Array<ArrayBuffer>,
  ]).arrayBuffer();
  if (!(await isSigned(signed, signatures, keys)))
    throw new WebhookVerificationError('invalid_signature', 'No signature is valid for the secret');
  return parseMessage(body, id, sentAt);
}

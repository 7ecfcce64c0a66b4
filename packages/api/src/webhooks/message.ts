import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { RecordEvent } from '../log/schemas.ts';
import type { Message } from './sender/http-sender.ts';

const SECRET_BYTES = 32;

/** Standard Webhooks format: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export interface Payload {
  /** The same for every attempt and replay, so that receivers can recognise duplicates. */
  messageId: string;
  body: string;
}

/** Standard Webhooks, signed with each secret. Receivers compare `now` with their clock. */
export function signedMessage(
  { messageId, body }: Payload,
  to: { url: string; secrets: string[] },
  now: Date,
): Message {
  const signatures = to.secrets.map((secret) => new Webhook(secret).sign(messageId, now, body));
  return {
    url: to.url,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'User-Agent': 'Roster-Webhooks',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}

export const BODY_MAX_BYTES = 20 * 1024;

/** Above 20 KiB, the record and its previous values are left out. */
export function eventPayload(event: RecordEvent): Payload {
  const { type, occurredAt: timestamp, record: _, previous: __, ...thin } = event;
  const messageId = `evt_${event.position}`;
  const body = JSON.stringify({ type, timestamp, data: event });
  if (Buffer.byteLength(body) <= BODY_MAX_BYTES) return { messageId, body };
  return {
    messageId,
    body: JSON.stringify({ type, timestamp, data: { type, occurredAt: timestamp, ...thin, isThin: true } }),
  };
}

export function testPayload(test: { id: string; webhookId: string; now: Date }): Payload {
  const data = { webhookId: test.webhookId };
  const body = { type: 'webhook.test', timestamp: test.now.toISOString(), data };
  return { messageId: `test_${test.id}`, body: JSON.stringify(body) };
}

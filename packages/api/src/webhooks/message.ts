import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Event } from '../events/schemas.ts';
import type { Message } from './http-sender.ts';

const SECRET_BYTES = 32;

/** A new secret, in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** What a receiver is sent. */
export interface Payload {
  /** The same whenever the same is sent again, so that a receiver can tell. */
  messageId: string;
  body: string;
}

/**
 * A message as Standard Webhooks has it: signed with each of the secrets, at the time of sending, which receivers compare
 * with their own clock.
 */
export function signed(
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

/** The id of the message about an event: that of its position, so that a repeated delivery is known by it. */
function messageIdOf(position: number): string {
  return `evt_${position}`;
}

/** The message about an event; without the record and what it was before, where those would be too much. */
export function payloadOf(event: Event): Payload {
  const { type, occurredAt: timestamp, record: _, previous: __, ...thin } = event;
  const messageId = messageIdOf(event.position);
  const body = JSON.stringify({ type, timestamp, data: event });
  if (Buffer.byteLength(body) <= BODY_MAX_BYTES) return { messageId, body };
  return {
    messageId,
    body: JSON.stringify({ type, timestamp, data: { type, occurredAt: timestamp, ...thin, isThin: true } }),
  };
}

/** The message that a test sends. */
export function testPayload(test: { id: string; webhookId: string; now: Date }): Payload {
  const data = { webhookId: test.webhookId };
  const body = { type: 'webhook.test', timestamp: test.now.toISOString(), data };
  return { messageId: `test_${test.id}`, body: JSON.stringify(body) };
}

import { randomBytes } from 'node:crypto';
import type { FollowedEvent } from '@roster/client';
import { Webhook } from 'standardwebhooks';

/** A larger body is sent without the record and its previous state. */
const BODY_MAX_BYTES = 20 * 1024;

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export interface WebhookPost {
  messageId: string;
  headers: Record<string, string>;
  body: string;
}

/** The service does not name the actor in its messages. */
function bodyOf({ cursor: _, ...followed }: FollowedEvent): string {
  const { actor } = followed;
  const event = { ...followed, actor: actor && { ...actor, name: null } };
  const { type, occurredAt: timestamp, record: __, previous: ___, ...thin } = event;
  const body = JSON.stringify({ type, timestamp, data: event });
  if (Buffer.byteLength(body) <= BODY_MAX_BYTES) return body;
  return JSON.stringify({ type, timestamp, data: { type, occurredAt: timestamp, ...thin, isThin: true } });
}

export function webhookPost(event: FollowedEvent, secret: string, now: Date): WebhookPost {
  const messageId = `evt_${event.position}`;
  const body = bodyOf(event);
  return {
    messageId,
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Roster-Webhooks',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(messageId, now, body),
    },
  };
}

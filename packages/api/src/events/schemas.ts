import { z } from 'zod';
import { Key } from '../api-keys/schemas.ts';
import { namesText } from '../directory.ts';
import { AccessDenial } from '../event-log/access-denial.ts';
import { eventOf, recordEventSchemas } from '../event-log/schemas.ts';
import {
  accessTypes,
  EventType,
  invitationTypes,
  keyTypes,
  MORE_TYPES,
  passkeyTypes,
  personTypes,
  sessionTypes,
  webhookTypes,
} from '../event-log/types.ts';
import { Invitation } from '../invitations/schemas.ts';
import { Passkey } from '../passkeys/schemas.ts';
import { Person } from '../people/schemas.ts';
import { RecordId } from '../resources/fields/schemas.ts';
import { LIMIT_MAX, limitParameter, repeated } from '../resources/list/parameters.ts';
import { Session } from '../sessions/schemas.ts';
import { Webhook } from '../webhooks/schemas.ts';

const KeyEvent = eventOf(keyTypes, Key, { id: 'KeyEvent', resource: 'a key' });
const WebhookEvent = eventOf(webhookTypes, Webhook, { id: 'WebhookEvent', resource: 'a webhook' });
const PersonEvent = eventOf(personTypes, Person, { id: 'PersonEvent', resource: 'a person' });
const InvitationEvent = eventOf(invitationTypes, Invitation, {
  id: 'InvitationEvent',
  resource: 'an invitation',
});
const PasskeyEvent = eventOf(passkeyTypes, Passkey, { id: 'PasskeyEvent', resource: 'a passkey' });
const SessionEvent = eventOf(sessionTypes, Session, { id: 'SessionEvent', resource: 'a session' });
const AccessEvent = eventOf(accessTypes, AccessDenial, { id: 'AccessEvent', resource: 'an access' });

/** A change of a record; `type` says which change, of which resource. */
export const Event = z
  .discriminatedUnion('type', [
    ...recordEventSchemas,
    KeyEvent,
    WebhookEvent,
    PersonEvent,
    InvitationEvent,
    PasskeyEvent,
    SessionEvent,
    AccessEvent,
  ])
  .meta({
    id: 'Event',
    description: `A change of a record, whose kind follows from \`type\`. ${MORE_TYPES}`,
  });
export type Event = z.infer<typeof Event>;

/** A cursor of the log. It ends with `~` if it is in the compacted part of the log. */
const Cursor = z
  .string()
  .regex(/^(latest|(0|[1-9]\d{0,15})~?)$/)
  .meta({
    description:
      'Return events after this cursor: `nextAfter` of the previous page, the position of an event, `0` for the start, or ' +
      '`latest` for the current end of the log',
    example: '0',
  });

const eventFilter = {
  types: repeated(EventType, {
    description: `Only events of this type; without it, those of ${namesText}`,
    example: 'agent.updated',
  }),
  subject: RecordId.meta({ description: 'Only events of this record' }).optional(),
  actorId: RecordId.meta({
    description:
      'Only events of changes that this key or person made; of denied rights those that were denied to them',
  }).optional(),
};

export const EventQuery = z.strictObject({
  after: Cursor.default('0'),
  ...eventFilter,
  limit: limitParameter,
});
export type EventQuery = z.input<typeof EventQuery>;

export const EventStreamQuery = z.strictObject({
  after: Cursor.default('latest'),
  /** The cursor of a subscription that reconnects; the tRPC client sends it. */
  lastEventId: Cursor.optional(),
  ...eventFilter,
});
export type EventStreamQuery = z.input<typeof EventStreamQuery>;

export const EventPage = z
  .strictObject({
    items: z
      .array(Event)
      .meta({ description: 'Events in the order of their positions', maxItems: LIMIT_MAX }),
    nextAfter: z.string().meta({
      description: 'The cursor for the next request, also if there were no events',
      example: '4761',
    }),
    hasMore: z.boolean().meta({ description: 'Whether there are more events now', example: false }),
  })
  .meta({ id: 'EventPage', description: 'One page of events and the next cursor' });
export type EventPage = z.infer<typeof EventPage>;

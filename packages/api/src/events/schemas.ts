import { z } from 'zod';
import { namesText } from '../directory.ts';
import { logPlace, RecordId } from '../engine/fields/schemas.ts';
import { LIMIT_MAX, limitParameter, repeated } from '../engine/list/parameters.ts';
import { Invitation } from '../identity/invitations/schemas.ts';
import { Key } from '../identity/keys/schemas.ts';
import { Passkey } from '../identity/passkeys/schemas.ts';
import { Person } from '../identity/people/schemas.ts';
import { Session } from '../identity/sessions/schemas.ts';
import { Webhook } from '../webhooks/schemas.ts';
import { AccessDenial } from './log/access-denial.ts';
import { eventOf, recordEventSchemas } from './log/schemas.ts';
import { adminTypes, EventType, MORE_TYPES } from './log/types.ts';

/** A change of a record; `type` says which change, of which resource. */
export const Event = z
  .discriminatedUnion('type', [
    ...recordEventSchemas,
    eventOf(adminTypes.key, Key, { id: 'KeyEvent', resource: 'a key' }),
    eventOf(adminTypes.webhook, Webhook, { id: 'WebhookEvent', resource: 'a webhook' }),
    eventOf(adminTypes.person, Person, { id: 'PersonEvent', resource: 'a person' }),
    eventOf(adminTypes.invitation, Invitation, { id: 'InvitationEvent', resource: 'an invitation' }),
    eventOf(adminTypes.passkey, Passkey, { id: 'PasskeyEvent', resource: 'a passkey' }),
    eventOf(adminTypes.session, Session, { id: 'SessionEvent', resource: 'a session' }),
    eventOf(adminTypes.access, AccessDenial, { id: 'AccessEvent', resource: 'an access' }),
  ])
  .meta({
    id: 'Event',
    description: `A change of a record, whose kind follows from \`type\`. ${MORE_TYPES}`,
  });
export type Event = z.infer<typeof Event>;

/** A cursor of the log. It ends with `~` if it is in the compacted part of the log. */
const Cursor = logPlace(
  /^(latest|(0|[1-9]\d{0,15})~?)$/,
  'latest, the position of an event, or nextAfter of a page',
).meta({
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

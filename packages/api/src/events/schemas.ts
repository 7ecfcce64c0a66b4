import { z } from 'zod';
import { namesText } from '../directory/registry.ts';
import { Actor } from '../engine/actor.ts';
import { returnedId } from '../engine/fields/field.ts';
import { count, logPlace, logPosition, RecordId } from '../engine/fields/schemas.ts';
import { LIMIT_MAX, limitParameter, repeated } from '../engine/list/parameters.ts';
import { Invitation } from '../identity/invitations/schemas.ts';
import { Key } from '../identity/keys/schemas.ts';
import { Passkey } from '../identity/passkeys/schemas.ts';
import { Person } from '../identity/people/schemas.ts';
import { Session } from '../identity/sessions/schemas.ts';
import { eventOf, recordEventSchemas } from '../log/schemas.ts';
import { adminTypes, EventType, MORE_TYPES } from '../log/types.ts';
import { Webhook } from '../webhooks/schemas.ts';

/** The event `access.denied`: at most one a minute for each caller and procedure. */
const AccessDenial = z
  .strictObject({
    id: returnedId('ID assigned by the server, unique to this event'),
    caller: Actor.nullable().meta({
      description: 'Key or person that was denied the right; `null` for a failed sign-in',
    }),
    procedure: z.string().nullable().meta({
      description: 'Name of the RPC procedure; `null` for a failed sign-in',
      example: 'keys.create',
    }),
    errorCode: z.string().meta({ description: 'The error code', example: 'insufficient_scope' }),
    detail: z.string().meta({ description: 'First error, as text' }),
    count: count('Number of denials since the previous event', 3),
  })
  .meta({ id: 'AccessDenial', description: 'A denied right or a failed sign-in' });

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
    description: `A change to a record. Its kind depends on \`type\`. ${MORE_TYPES}`,
  });
export type Event = z.infer<typeof Event>;

const cursorText =
  "Cursor: the `nextAfter` of a page, an event's position, `0` for the start, or `latest` for the end.";
const Cursor = logPlace(
  /^(latest|(0|[1-9]\d{0,15})~?)$/,
  'latest, the position of an event, or nextAfter of a page',
).meta({
  description: cursorText,
  example: '0',
});

const LogOrder = z.enum(['position', '-position']).default('position').meta({
  description:
    'Sort order; `-position` returns the latest events first and continues with older ones. Use a cursor with the same order.',
  example: '-position',
});

const eventFilter = {
  types: repeated(EventType, {
    description: `Filter by event type. Defaults to events of ${namesText}.`,
    example: 'agent.updated',
  }),
  subject: RecordId.meta({ description: 'Filter by record' }).optional(),
  actorId: RecordId.meta({
    description: 'Filter by the key or person that made the change or was denied access',
  }).optional(),
};

export const EventQuery = z.strictObject({
  after: Cursor.optional().meta({
    description: `${cursorText} Defaults to \`0\`, or to \`latest\` if the latest events come first.`,
    example: '0',
  }),
  sort: LogOrder,
  ...eventFilter,
  limit: limitParameter,
});
export type EventQuery = z.input<typeof EventQuery>;

export const EventStreamQuery = z.strictObject({
  after: Cursor.default('latest'),
  lastEventId: Cursor.optional(),
  ...eventFilter,
});
export type EventStreamQuery = z.input<typeof EventStreamQuery>;

export const EventPage = z
  .strictObject({
    items: z.array(Event).meta({ description: 'Events in the requested order', maxItems: LIMIT_MAX }),
    nextAfter: z.string().meta({
      description: 'Cursor for the next request, returned even if there are no events',
      example: '4761',
    }),
    hasMore: z.boolean().meta({ description: 'Whether more events are available now', example: false }),
    compactedTo: logPosition(
      'Position up to which the log only has the newest event of each record; `0` if it has all events',
      0,
    ),
  })
  .meta({ id: 'EventPage', description: 'A page of events and the next cursor' });
export type EventPage = z.infer<typeof EventPage>;

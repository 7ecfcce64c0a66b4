import { z } from 'zod';
import { Actor } from '../access/actor.ts';
import { Key } from '../api-keys/schemas.ts';
import { type Directory, forEachResource, type ResourceName } from '../directory.ts';
import { Person } from '../people/schemas.ts';
import { LIMIT_MAX, limitParameter, repeated } from '../resources/list/parameters.ts';
import { RecordId } from '../resources/schemas.ts';
import { EventDetails } from '../resources/write/event-details.ts';
import { Session } from '../sessions/schemas.ts';
import { Webhook } from '../webhooks/schemas.ts';
import { AccessDenial } from './access-denial.ts';
import {
  accessTypes,
  EventType,
  keyTypes,
  MORE_TYPES,
  personTypes,
  type RecordTypes,
  recordTypes,
  sessionTypes,
  webhookTypes,
} from './types.ts';

/** The empty values of fields, which a record in an event of an older version of the service may lack. */
function emptyOf(shape: z.ZodRawShape): Record<string, unknown> {
  const empty = [null, []];
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const value = empty.find((candidate) => z.safeParse(schema, candidate).success);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A record as an older version of the service wrote it, with the empty values of fields that it lacks. */
export function completed<Shape extends z.ZodRawShape>(record: z.ZodObject<Shape, z.core.$strict>) {
  const empty = emptyOf(record.shape);
  return z.preprocess((given: z.input<typeof record>) => ({ ...empty, ...given }), record);
}

function snapshotOf<Shape extends z.ZodRawShape>(record: z.ZodObject<Shape, z.core.$strict>) {
  const empty = emptyOf(record.shape);
  return z.preprocess(
    (given: z.input<typeof record> | null) => (given === null ? null : { ...empty, ...given }),
    record.nullable(),
  );
}

const time = {
  description: 'When it happened',
  example: '2026-01-31T08:00:00.000Z',
  format: 'date-time',
};

/** The fields of all events. */
export const eventFields = {
  position: z.int().meta({
    description: 'The position in the log, from 1; no event appears before it later',
    example: 4711,
  }),
  subject: z.string().meta({
    description: 'The id of the record',
    example: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
    format: 'uuid',
  }),
  version: z.int().meta({
    description:
      'The version of the record after the change; of a deleted record its last version; of what is no record the number of its event',
    example: 3,
  }),
  occurredAt: z.string().meta(time),
  actorId: z.string().nullable().meta({
    description: 'The id of the key or the person that made the change; null if the service itself did',
    example: '01980a3f-3c4d-7e5f-8a6b-7c8d9e0f1a2b',
    format: 'uuid',
  }),
  actor: Actor.nullable().meta({
    description:
      'The same with the type and, for callers that may read it, the current name; null for a person who was deleted',
  }),
  requestId: z
    .string()
    .nullable()
    .meta({ description: 'The X-Request-Id of the request', example: 'import-2026-01' }),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'The reason given with the change', example: 'Moved to Porto' }),
  details: EventDetails.nullable().meta({
    description:
      'What the change was part of, and between which offices an agent was transferred; null if nothing',
  }),
};

function eventOf<Type extends string, Shape extends z.ZodRawShape>(
  types: readonly Type[],
  record: z.ZodObject<Shape, z.core.$strict>,
  { id, resource }: { id: string; resource: string },
) {
  return z
    .strictObject({
      ...eventFields,
      type: z
        .enum(types)
        .meta({ description: `What happened. ${MORE_TYPES}`, example: types[1] ?? types[0] }),
      record: snapshotOf(record).meta({
        description: 'The record after the change; of a deleted record its last state; null if it was purged',
      }),
      previous: record.partial().meta({
        description:
          'The previous values of the changed fields; merged into the record, they give the previous record',
      }),
    })
    .meta({ id, description: `A change of ${resource}` });
}

type RecordEvents = {
  [Name in ResourceName]: ReturnType<
    typeof eventOf<RecordTypes[Name][number], Directory[Name]['schemas']['record']['shape']>
  >;
};
type RecordEventSchema = RecordEvents[ResourceName];
const recordEvents = forEachResource<RecordEvents>(({ name, schemas, texts }) =>
  eventOf(recordTypes[name], schemas.record, { id: `${texts.schema}Event`, resource: texts.one }),
);
/** A change of a record of one resource. */
export type RecordEvent<Name extends ResourceName = ResourceName> = z.infer<RecordEvents[Name]>;
const KeyEvent = eventOf(keyTypes, Key, { id: 'KeyEvent', resource: 'a key' });
const WebhookEvent = eventOf(webhookTypes, Webhook, { id: 'WebhookEvent', resource: 'a webhook' });
const PersonEvent = eventOf(personTypes, Person, { id: 'PersonEvent', resource: 'a person' });
const SessionEvent = eventOf(sessionTypes, Session, { id: 'SessionEvent', resource: 'a session' });
const AccessEvent = eventOf(accessTypes, AccessDenial, { id: 'AccessEvent', resource: 'an access' });

/** A change of a record; `type` says which change, of which resource. */
export const Event = z
  .discriminatedUnion('type', [
    ...(Object.values(recordEvents) as [RecordEventSchema, ...RecordEventSchema[]]),
    KeyEvent,
    WebhookEvent,
    PersonEvent,
    SessionEvent,
    AccessEvent,
  ])
  .meta({ id: 'Event', description: 'A change of a record' });
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
    description: 'Only events of this type; without it, those of offices and agents',
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

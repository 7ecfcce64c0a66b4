import { z } from 'zod';
import { Agent } from '../agents/schemas.ts';
import { Key } from '../api-keys/schemas.ts';
import { Office } from '../offices/schemas.ts';
import { LIMIT_MAX, limitParameter, repeated } from '../resources/list/parameters.ts';
import { RecordId } from '../resources/schemas.ts';
import { Webhook } from '../webhooks/schemas.ts';
import { agentTypes, EventType, keyTypes, officeTypes, webhookTypes } from './types.ts';

/** A field that a record of an older version of the service does not have yet is empty in it. */
function emptyOf(shape: Record<string, z.ZodType>): Record<string, unknown> {
  const empty = [null, []];
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const value = empty.find((candidate) => schema.safeParse(candidate).success);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function snapshotOf<Shape extends z.ZodRawShape>(record: z.ZodObject<Shape, z.core.$strict>) {
  const empty = emptyOf(record.shape as unknown as Record<string, z.ZodType>);
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

/** What every event says, whatever its noun. */
const eventFields = {
  position: z.int().meta({
    description: 'The place in the log, from 1: whoever has seen it has seen all there is before it',
    example: 4711,
  }),
  subject: z.string().meta({
    description: 'The id of the record',
    example: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
    format: 'uuid',
  }),
  version: z.int().meta({
    description:
      'The version of the record after the change, of a deleted one the last it had; of a key or a webhook the number of its event',
    example: 3,
  }),
  occurredAt: z.string().meta(time),
  actorId: z.string().nullable().meta({
    description: 'The key that asked for it; null where the service did it by itself',
    example: '01980a3f-3c4d-7e5f-8a6b-7c8d9e0f1a2b',
    format: 'uuid',
  }),
  requestId: z
    .string()
    .nullable()
    .meta({ description: 'The X-Request-Id of the request that asked for it', example: 'import-2026-01' }),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'The reason that came with a transition', example: 'Moved to Porto' }),
};

function eventOf<Type extends string, Shape extends z.ZodRawShape>(
  types: readonly Type[],
  record: z.ZodObject<Shape, z.core.$strict>,
  { id, resource }: { id: string; resource: string },
) {
  return z
    .strictObject({
      ...eventFields,
      type: z.enum(types).meta({ description: 'What happened', example: types[1] }),
      record: snapshotOf(record).meta({
        description: 'The record after the change; deleted, as it was last; purged, null',
      }),
      previous: record.partial().meta({
        description: 'What the fields that changed were before; put over the record it gives the one before',
      }),
    })
    .meta({ id, description: `Something that happened to ${resource}` });
}

export const OfficeEvent = eventOf(officeTypes, Office, { id: 'OfficeEvent', resource: 'an office' });
export type OfficeEvent = z.infer<typeof OfficeEvent>;
export const AgentEvent = eventOf(agentTypes, Agent, { id: 'AgentEvent', resource: 'an agent' });
export type AgentEvent = z.infer<typeof AgentEvent>;
const KeyEvent = eventOf(keyTypes, Key, { id: 'KeyEvent', resource: 'a key' });
const WebhookEvent = eventOf(webhookTypes, Webhook, { id: 'WebhookEvent', resource: 'a webhook' });

/** Something that happened to a record: `type` says what, and which noun the record is. */
export const Event = z
  .discriminatedUnion('type', [OfficeEvent, AgentEvent, KeyEvent, WebhookEvent])
  .meta({ id: 'Event', description: 'Something that happened to a record' });
export type Event = z.infer<typeof Event>;

/** Where a reader is in the log. `~` marks one who reads the compacted part of it, from its start. */
const Place = z
  .string()
  .regex(/^(latest|(0|[1-9]\d{0,15})~?)$/)
  .meta({
    description:
      'Events after this place: `nextAfter` of the page before, the position of an event, `0` for the start, or ' +
      '`latest` for the end of the log as it is now',
    example: '0',
  });

/** Which events. */
const eventFilter = {
  types: repeated(EventType, {
    description: 'Events of this type; without any, those of offices and agents',
    example: 'agent.updated',
  }),
  subject: RecordId.meta({ description: 'The history of this record' }).optional(),
};

export const EventQuery = z.strictObject({
  after: Place.default('0'),
  ...eventFilter,
  limit: limitParameter,
});
export type EventQuery = z.input<typeof EventQuery>;

export const EventStreamQuery = z.strictObject({
  after: Place.default('latest'),
  /** Where a subscription that broke off goes on; the client of tRPC sends it by itself. */
  lastEventId: Place.optional(),
  ...eventFilter,
});
export type EventStreamQuery = z.input<typeof EventStreamQuery>;

export const EventPage = z
  .strictObject({
    items: z
      .array(Event)
      .meta({ description: 'Events in the order of their positions', maxItems: LIMIT_MAX }),
    nextAfter: z
      .string()
      .meta({ description: 'Where to go on, also when there was nothing', example: '4761' }),
    hasMore: z.boolean().meta({ description: 'Whether there are more events already', example: false }),
  })
  .meta({ id: 'EventPage', description: 'Some events, and where to go on' });
export type EventPage = z.infer<typeof EventPage>;

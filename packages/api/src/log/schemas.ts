import { z } from 'zod';
import { type Directory, forEachResource, type ResourceName } from '../directory/registry.ts';
import { Actor } from '../engine/actor.ts';
import { returnedId } from '../engine/fields/field.ts';
import { logPosition, versionNumber } from '../engine/fields/schemas.ts';
import { EventDetails } from './event-details.ts';
import { MORE_TYPES, type RecordTypes, recordTypes } from './types.ts';

function emptyOf(shape: z.ZodRawShape): Record<string, unknown> {
  const empty = [null, []];
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const value = empty.find((candidate) => z.safeParse(schema, candidate).success);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Empty values are determined at first use, because that runs each field's schema. */
function completing<Shape extends z.ZodRawShape, Schema extends z.ZodType>(
  { shape }: z.ZodObject<Shape, z.core.$strict>,
  schema: Schema,
) {
  let empty: Record<string, unknown> | undefined;
  return z.preprocess((given: z.input<Schema>) => {
    empty ??= emptyOf(shape);
    return given === null ? null : { ...empty, ...(given as object) };
  }, schema);
}

export function completed<Shape extends z.ZodRawShape>(record: z.ZodObject<Shape, z.core.$strict>) {
  return completing(record, record);
}

const time = {
  description: 'When the change happened',
  example: '2026-01-31T08:00:00.000Z',
  format: 'date-time',
};

export const eventFields = {
  position: logPosition('Position in the log, starting at 1. No event appears before it later.'),
  subject: returnedId('ID of the record'),
  version: versionNumber(
    'Version of the record after the change, or its last version if deleted. Other subjects count their events.',
  ),
  occurredAt: z.string().meta(time),
  actorId: z.string().nullable().meta({
    description: 'ID of the key or person that made the change; `null` if the service did',
    example: '01980a3f-3c4d-7e5f-8a6b-7c8d9e0f1a2b',
    format: 'uuid',
  }),
  actor: Actor.nullable().meta({
    description:
      'Key or person that made the change, with its current name if you can see it; `null` for deleted people',
  }),
  requestId: z
    .string()
    .nullable()
    .meta({ description: '`X-Request-Id` of the request', example: 'import-2026-01' }),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'Reason given for the change', example: 'Moved to Porto' }),
  details: EventDetails.nullable().meta({
    description: 'Details of the change, such as its job or the offices of a transfer; otherwise `null`',
  }),
};

export function eventOf<Type extends string, Shape extends z.ZodRawShape>(
  types: readonly Type[],
  record: z.ZodObject<Shape, z.core.$strict>,
  { id, resource }: { id: string; resource: string },
) {
  return z
    .strictObject({
      ...eventFields,
      type: z
        .enum(types)
        .meta({ description: `Type of event. ${MORE_TYPES}`, example: types[1] ?? types[0] }),
      record: completing(record, record.nullable()).meta({
        description: 'Record after the change, or its last state if deleted; `null` if purged',
      }),
      previous: record.partial().meta({
        description:
          'Previous values of the changed fields. Merge them into the record to get the previous record.',
      }),
    })
    .meta({ id, description: `A change to ${resource}` });
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
export const recordEventSchemas = Object.values(recordEvents) as [RecordEventSchema, ...RecordEventSchema[]];
export const RecordEvent = z.discriminatedUnion('type', recordEventSchemas);
export type RecordEvent<Name extends ResourceName = ResourceName> = z.infer<RecordEvents[Name]>;

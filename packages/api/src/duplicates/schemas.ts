import { z } from 'zod';
import type { ResourceTexts } from '../engine/definition.ts';
import { answeredTime, assignedId, RecordId, transitionInput } from '../engine/fields/schemas.ts';
import { booleanParameter, cursorParameter, pageOf, pageQuery, repeated } from '../engine/list/parameters.ts';
import { eventFields } from '../events/log/schemas.ts';
import { commonPlaces, reasonKinds, SCORE_DEFAULT, SCORE_MIN } from './score.ts';

/** The most records that a new one is said to look like. */
export const LOOK_ALIKES_MAX = 5;

const ReasonKind = z.enum(reasonKinds).meta({
  id: 'DuplicateReasonKind',
  description: 'What two records have in common',
  example: 'telephone',
});

const DuplicateReason = z
  .strictObject({
    kind: ReasonKind,
    text: z.string().meta({ description: 'In words', example: 'Same telephone +351910000001' }),
    value: z
      .string()
      .meta({ description: 'What both have; left out of a name', example: '+351910000001' })
      .optional(),
    field: z.string().meta({ description: 'The field that has the number', example: 'mlsId' }).optional(),
    isSimilar: z
      .literal(true)
      .meta({ description: 'Whether the names are similar and not the same', example: true })
      .optional(),
    place: z.enum(commonPlaces).meta({ description: 'Where both names are', example: 'office' }).optional(),
  })
  .meta({ id: 'DuplicateReason', description: 'Why two records may be the same' });

/** The degree to which two records are alike, and why. */
export const likeness = {
  score: z.number().meta({
    description: 'The estimated probability that they are the same, from 0 to 1',
    example: 0.97,
  }),
  reasons: z.array(DuplicateReason).meta({ description: 'What they have in common', maxItems: 20 }),
};

/** A number in a URL: digits, and a point and digits. The schema rejects those that are no score. */
const scoreParameter = z.preprocess(
  (value: number | undefined) =>
    typeof value === 'string' && /^-?\d*\.?\d+$/.test(value) ? Number(value) : value,
  z.number().min(SCORE_MIN).max(1),
);

/** The parameters of a list of pairs. */
export const DuplicateQuery = z.strictObject({
  limit: pageQuery.limit,
  cursor: cursorParameter,
  direction: pageQuery.direction,
  sort: z
    .enum(['-score', 'score', '-foundAt', 'foundAt'])
    .default('-score')
    .meta({ description: 'The order, `-` for descending; the id breaks ties', example: '-score' }),
  minScore: scoreParameter.prefault(SCORE_DEFAULT).meta({
    description: `The least score: ${SCORE_MIN}, below which no pair is kept, to 1`,
    example: 0.9,
  }),
  kind: repeated(ReasonKind, { description: 'Pairs that have this in common', example: 'telephone' }),
  officeId: repeated(RecordId, { description: 'Pairs with a record of this office' }),
  recordId: RecordId.meta({ description: 'Pairs with this record' }).optional(),
  state: z.enum(['open', 'dismissed', 'any']).default('open').meta({
    description:
      '`open` finds pairs that nobody has decided about, `dismissed` those that were decided not to be the same, `any` both',
    example: 'open',
  }),
  includeTotal: booleanParameter()
    .meta({ description: 'Count all pairs that match, in the same snapshot as the page', example: true })
    .optional(),
});
export type DuplicateQuery = z.output<typeof DuplicateQuery>;

/** Two records of a resource that may be the same. */
export function duplicatePairOf<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape, z.core.$strict>,
  { texts }: { texts: ResourceTexts },
) {
  return z
    .strictObject({
      id: assignedId,
      ...likeness,
      foundAt: answeredTime('When they were found'),
      records: z
        .array(record)
        .min(2)
        .max(2)
        .meta({ description: 'Both records as they are now, in the order of their ids' }),
      dismissedAt: z.string().nullable().meta({
        description: 'When it was decided that they are not the same; null if it was not',
        example: null,
        format: 'date-time',
      }),
      dismissalReason: z
        .string()
        .nullable()
        .meta({ description: 'The reason that was given for that', example: 'Twins' }),
      actorId: eventFields.actorId.meta({
        description: 'The id of the key or the person that decided it',
        example: null,
        format: 'uuid',
      }),
      actor: eventFields.actor,
    })
    .meta({ id: `${texts.schema}Duplicate`, description: 'Two records that may be the same' });
}

/** The records that one looks like which is not there yet. */
export function lookAlikesOf<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape, z.core.$strict>,
  { texts }: { texts: ResourceTexts },
) {
  const one = z
    .strictObject({ ...likeness, record })
    .meta({ id: `${texts.schema}LookAlike`, description: 'A record that a new one looks like, and why' });
  return z
    .strictObject({
      lookAlikes: z.array(one).meta({
        description: 'The most probable first; empty if it looks like none',
        maxItems: LOOK_ALIKES_MAX,
      }),
    })
    .meta({ id: `${texts.schema}LookAlikes`, description: 'The records that a new one looks like' });
}

/** A page of pairs of a resource. */
export function duplicatePageOf<Pair extends z.ZodType>(pair: Pair, { texts }: { texts: ResourceTexts }) {
  return pageOf(pair, `${texts.schema}DuplicatePage`);
}

const pairId = RecordId.meta({ description: 'The id of the pair' });

export const Dismissal = z.strictObject({ id: pairId, reason: transitionInput.reason }).meta({
  id: 'Dismissal',
  description: 'Why they are not the same; may be left out',
  example: { reason: 'Twins' },
});

export const OnePair = z.strictObject({ id: pairId });

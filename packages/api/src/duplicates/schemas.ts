import { z } from 'zod';
import type { ResourceTexts } from '../engine/definition.ts';
import { assignedId, RecordId, returnedTime, transitionInput } from '../engine/fields/schemas.ts';
import { booleanParameter, cursorParameter, pageOf, pageQuery, repeated } from '../engine/list/parameters.ts';
import { eventFields } from '../log/schemas.ts';
import { commonPlaces, reasonKinds, SCORE_DEFAULT, SCORE_MIN } from './score.ts';

export const LOOK_ALIKES_MAX = 5;

const ReasonKind = z.enum(reasonKinds).meta({
  id: 'DuplicateReasonKind',
  description: 'Kind of similarity',
  example: 'telephone',
});

const DuplicateReason = z
  .strictObject({
    kind: ReasonKind,
    text: z
      .string()
      .meta({ description: 'Description of the similarity', example: 'Same phone number +351910000001' }),
    value: z
      .string()
      .meta({ description: 'Shared value; omitted for names', example: '+351910000001' })
      .optional(),
    field: z.string().meta({ description: 'Field that contains the number', example: 'mlsId' }).optional(),
    isSimilar: z
      .literal(true)
      .meta({ description: 'Whether the names are similar but not the same', example: true })
      .optional(),
    place: z
      .enum(commonPlaces)
      .meta({ description: 'Where both records have the name in common', example: 'office' })
      .optional(),
  })
  .meta({ id: 'DuplicateReason', description: 'Reasons why two records may be duplicates' });

export const likeness = {
  score: z.number().meta({
    description: 'Estimated probability that the records are duplicates, from 0 to 1',
    example: 0.97,
  }),
  reasons: z.array(DuplicateReason).meta({ description: 'Similarities between the records', maxItems: 20 }),
};

const scoreParameter = z.preprocess(
  (value: number | undefined) =>
    typeof value === 'string' && /^-?\d*\.?\d+$/.test(value) ? Number(value) : value,
  z.number().min(SCORE_MIN).max(1),
);

export const DuplicateQuery = z.strictObject({
  limit: pageQuery.limit,
  cursor: cursorParameter,
  direction: pageQuery.direction,
  sort: z
    .enum(['-score', 'score', '-foundAt', 'foundAt'])
    .default('-score')
    .meta({ description: 'Sort order; `-` for descending. Ties are sorted by ID.', example: '-score' }),
  minScore: scoreParameter.prefault(SCORE_DEFAULT).meta({
    description: `Minimum score, from ${SCORE_MIN} to 1`,
    example: 0.9,
  }),
  kind: repeated(ReasonKind, { description: 'Filter by kind of similarity', example: 'telephone' }),
  officeId: repeated(RecordId, { description: 'Filter by office: pairs with a record of this office' }),
  recordId: RecordId.meta({ description: 'Filter by record: pairs with this record' }).optional(),
  state: z.enum(['open', 'dismissed', 'any']).default('open').meta({
    description:
      'Filter by decision: `open` for undecided pairs, `dismissed` for dismissed pairs, `any` for both',
    example: 'open',
  }),
  includeTotal: booleanParameter()
    .meta({
      description: 'Set to `true` to also return the number of matching pairs. Defaults to `false`.',
      example: true,
    })
    .optional(),
});
export type DuplicateQuery = z.output<typeof DuplicateQuery>;

export function duplicatePairOf<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape, z.core.$strict>,
  { texts }: { texts: ResourceTexts },
) {
  return z
    .strictObject({
      id: assignedId,
      ...likeness,
      foundAt: returnedTime('When the pair was found'),
      records: z
        .array(record)
        .min(2)
        .max(2)
        .meta({ description: 'Current state of both records, sorted by ID' }),
      dismissedAt: z.string().nullable().meta({
        description: 'When the pair was dismissed; `null` if it was not',
        example: null,
        format: 'date-time',
      }),
      dismissalReason: z
        .string()
        .nullable()
        .meta({ description: 'Reason given for the dismissal', example: 'Twins' }),
      actorId: eventFields.actorId.meta({
        description: 'ID of the key or person that dismissed the pair',
        example: null,
        format: 'uuid',
      }),
      actor: eventFields.actor,
    })
    .meta({ id: `${texts.schema}Duplicate`, description: 'Two records that may be duplicates' });
}

export function lookAlikesOf<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape, z.core.$strict>,
  { texts }: { texts: ResourceTexts },
) {
  const one = z.strictObject({ ...likeness, record }).meta({
    id: `${texts.schema}LookAlike`,
    description: 'An existing record that looks like the new one, with reasons',
  });
  return z
    .strictObject({
      lookAlikes: z.array(one).meta({
        description: 'Existing records, most probable first; empty if none looks like the new record',
        maxItems: LOOK_ALIKES_MAX,
      }),
    })
    .meta({ id: `${texts.schema}LookAlikes`, description: 'Existing records that look like a new one' });
}

export function duplicatePageOf<Pair extends z.ZodType>(pair: Pair, { texts }: { texts: ResourceTexts }) {
  return pageOf(pair, `${texts.schema}DuplicatePage`);
}

const pairId = RecordId.meta({ description: 'ID of the pair' });

export const Dismissal = z.strictObject({ id: pairId, reason: transitionInput.reason }).meta({
  id: 'Dismissal',
  description: 'Optional reason for the dismissal',
  example: { reason: 'Twins' },
});

export const OnePair = z.strictObject({ id: pairId });

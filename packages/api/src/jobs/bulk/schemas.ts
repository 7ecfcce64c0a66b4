import { z } from 'zod';
import { type Directory, forEachResource, type ResourceName } from '../../directory/registry.ts';
import type { ResourceTexts } from '../../engine/definition.ts';
import { type Fields, returnedId } from '../../engine/fields/field.ts';
import { count, effectiveTime, oneTime, RecordId } from '../../engine/fields/schemas.ts';
import { patchShape } from '../../engine/fields/shapes.ts';
import { checkNot } from '../../engine/list/parameters.ts';
import type { ErrorCode } from '../../errors/error-codes.ts';
import { CHECKED_MAX, SAMPLES_MAX } from '../../records/try-change.ts';
import { Job, JobError, RECORDS_MAX, reason } from '../schemas.ts';

/** Selects nothing by itself: it defines the meaning of `officeId`. */
const AFFILIATION = 'affiliation';

/** For the document: at least one filter, and none together with `all`. */
const selectionRules = {
  not: { propertyNames: { const: AFFILIATION } },
  dependentSchemas: { all: { propertyNames: { enum: ['all', AFFILIATION] } } },
};

/** Selecting all records requires `all`. */
function filterOf<Shape extends z.ZodRawShape>(filters: Shape) {
  return z
    .strictObject({
      ...filters,
      all: z.literal(true).optional().meta({
        description: 'Set to `true` to select every record. Cannot be combined with other filters.',
      }),
    })
    .check(checkNot)
    .check(({ value, issues }) => {
      if (issues.length > 0) return;
      const { all, [AFFILIATION]: _, ...others } = value as Record<string, unknown>;
      const isEmpty = Object.values(others).every((other) => other === undefined);
      if (isEmpty === (all === true)) return;
      const message = isEmpty
        ? 'selects every record: set `all: true` to confirm'
        : "can't be combined with other filters";
      const path = isEmpty ? [] : ['all'];
      issues.push({ code: 'custom', params: { code: 'not_allowed' }, message, path, input: value });
    })
    .meta({
      ...selectionRules,
      description:
        'Filters of the list. All filters must match. `q` only finds exact words, not similar spellings.',
      example: { status: ['active'], ...('mlsId' in filters && { mlsId: ['LX0042'] }) },
    });
}

const typeOf = <Type extends string>(type: Type, description: string) =>
  z.literal(type).meta({ description, example: type });

function updateOf<F extends Fields>(fields: F) {
  const patch = z
    .strictObject(patchShape(fields))
    .refine((given) => Object.values(given).some((value) => value !== undefined), {
      message: 'must contain a field',
      when: ({ issues }) => issues.length === 0,
      params: { code: 'required' },
    })
    .meta({
      minProperties: 1,
      description: 'Fields to change in each record, as JSON Merge Patch (RFC 7396)',
      example: { website: 'https://atlantico.example/lisboa' },
    });
  return z.strictObject({ type: typeOf('update', 'Changes fields'), patch });
}

const plainChanges = [
  z.strictObject({
    type: typeOf('deactivate', 'Deactivates the records. Has no effect on inactive records.'),
  }),
  z.strictObject({ type: typeOf('reactivate', 'Reactivates the records. Has no effect on active records.') }),
  z.strictObject({ type: typeOf('delete', 'Deletes the records, unless other records refer to them.') }),
] as const;

const transferChange = z.strictObject({
  type: z
    .literal('transfer')
    .meta({ description: 'Moves each agent to a different office', example: 'transfer' }),
  officeId: RecordId.meta({ description: 'ID of the new office, which must be active' }),
});

/** The changes that only one kind of record has. */
const ownChanges = {
  offices: [],
  agents: [transferChange],
  teams: [],
} as const satisfies Record<ResourceName, readonly z.ZodObject[]>;

const changeDocs = {
  description: 'Change to make to each record',
  example: { type: 'update', patch: { website: 'https://atlantico.example/lisboa' } },
};

function changeOf<F extends Fields, Own extends readonly z.ZodObject[]>(fields: F, own: Own) {
  return z.discriminatedUnion('type', [updateOf(fields), ...plainChanges, ...own]).meta(changeDocs);
}

export type BulkChange =
  | { type: 'update'; patch: Record<string, unknown> }
  | z.output<(typeof plainChanges)[number]>
  | z.output<(typeof ownChanges)[ResourceName][number]>;

const dryRun = z
  .boolean()
  .optional()
  .meta({
    description: `Set to \`true\` for a preview: the number of matching records, and the outcome for the first ${CHECKED_MAX}.`,
    example: true,
  });

interface Changeable<Filters, F> {
  name: string;
  texts: Pick<ResourceTexts, 'schema'>;
  schemas: { filters: Filters };
  fields: F;
}

function bulkOf<Filters extends z.ZodRawShape, F extends Fields, Own extends readonly z.ZodObject[]>(
  { name, texts, schemas, fields: recordFields }: Changeable<Filters, F>,
  own: Own,
) {
  const exampleFilter = 'mlsId' in schemas.filters ? { mlsId: ['LX0042'] } : { status: ['active'] };
  const fields = {
    filter: filterOf(schemas.filters),
    change: changeOf(recordFields, own),
    expectedCount: z
      .int()
      .min(0)
      .max(RECORDS_MAX)
      .optional()
      .meta({
        description:
          'Number of records you expect to match. The request fails if the number differs. Required unless ' +
          '`dryRun` is `true`.',
        example: 0,
      }),
    dryRun,
    reason,
    ...effectiveTime,
  };
  return z
    .strictObject(fields)
    .refine((given) => given.dryRun === true || given.expectedCount !== undefined, {
      message: 'is required unless dryRun is true',
      params: { code: 'required' },
      path: ['expectedCount'],
    })
    .meta({
      ...oneTime,
      if: { not: { properties: { dryRun: { const: true } }, required: ['dryRun'] } },
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
      then: { properties: { expectedCount: {} }, required: ['expectedCount'] },
      id: `${texts.schema}Bulk`,
      description: `A change to all ${name} that match a filter`,
      example: { filter: exampleFilter, change: changeDocs.example, dryRun: true },
    });
}

type BulkSchemas = {
  [Name in ResourceName]: ReturnType<
    typeof bulkOf<Directory[Name]['schemas']['filters'], Directory[Name]['fields'], (typeof ownChanges)[Name]>
  >;
};
export const bulkSchemas = forEachResource<BulkSchemas>((definition) =>
  bulkOf(definition, ownChanges[definition.name]),
);

const BulkSample = z
  .strictObject({
    id: returnedId('ID of the record', '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a'),
    name: z.string().meta({ description: 'Name of the record', example: 'Ana Figueiredo' }),
    changes: z
      .array(
        z.strictObject({
          field: z.string().meta({ description: 'Name of the field', example: 'status' }),
          from: z.unknown().meta({ description: 'Current value', example: 'active' }),
          to: z.unknown().meta({ description: 'Value after the change', example: 'inactive' }),
        }),
      )
      .meta({
        description:
          'Fields that would change, without the times that the service sets; empty for records that would be ' +
          'deleted or restored',
        maxItems: 100,
      }),
  })
  .meta({ id: 'BulkSample', description: 'A record that would change, and its changed fields' });
export type BulkSample = z.infer<typeof BulkSample>;

export const BulkPreview = z
  .strictObject({
    count: count('Number of matching records: the `expectedCount` of the change', 1207),
    checked: count(`Number of records the change was tried on: the first ${CHECKED_MAX} by ID`, CHECKED_MAX),
    changed: count('Number of tried records that would change', 497),
    partlyChanged: count(
      'Number of changing records that would keep some fields, because those have changed since',
      0,
    ),
    unchanged: count('Number of tried records that already have these values', 2),
    rejected: count('Number of tried records that could not be changed', 1),
    samples: z.array(BulkSample).meta({
      description: `The first ${SAMPLES_MAX} records that would change`,
      maxItems: SAMPLES_MAX,
    }),
    errors: z.array(JobError).meta({
      description: 'Records that could not be changed, or only in part, each with the reason',
      maxItems: CHECKED_MAX,
    }),
  })
  .meta({ id: 'BulkPreview', description: 'Preview of a bulk change' });
export type BulkPreview = z.infer<typeof BulkPreview>;

export const BulkResponse = z
  .union([Job, BulkPreview])
  .meta({ description: 'The job; with `dryRun`, a preview' });
export type BulkResponse = Job | BulkPreview;

export const bulkErrors: ErrorCode[] = ['count_mismatch', 'limit_reached'];

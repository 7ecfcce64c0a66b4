import { z } from 'zod';
import { type Directory, forEachResource, type ResourceName } from '../directory.ts';
import { PhoneCountry } from '../engine/fields/countries.ts';
import { count } from '../engine/fields/schemas.ts';
import { ERRORS_PER_RECORD_MAX } from '../errors/issue-text.ts';
import { FieldError, Problem } from '../errors/roster-error.ts';
import { deferErrors } from './invalid-record.ts';

/** Records in one call at most. */
const RECORDS_MAX = 500;

const flag = (byDefault: boolean, description: string) =>
  z.boolean().default(byDefault).meta({ description, example: byDefault });

/** The ways in which a record of an import finds the one that is there already. */
export const importModes = ['create', 'upsert', 'match'] as const;
export type ImportMode = (typeof importModes)[number];

const mode = z
  .enum(importModes)
  .default('create')
  .meta({
    description:
      '`create`: every record is new. `upsert`: each names its `source`; a record that came from there is changed as by ' +
      'a merge patch (absent leaves, null clears), a new one is created. `match`: the same, and one without a `source` ' +
      'is matched by its e-mail address (an office: by e-mail address and name, where one office alone has both), else ' +
      'created',
    example: 'upsert',
  });

function importOf<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape, z.core.$strict>,
  id: string,
  description: string,
) {
  const { example } = record.meta() ?? {};
  return z
    .strictObject({
      records: z
        .array(deferErrors(record))
        .min(1)
        .max(RECORDS_MAX)
        .meta({
          description: `The records, 1 to ${RECORDS_MAX}; a branch may stand before its main office`,
          example: [example],
        }),
      mode,
      isAtomic: flag(
        true,
        'All or nothing; if false, the valid records are written, and the status is 207 if others are rejected',
      ),
      acceptRenames: flag(
        false,
        'Whether a record that was matched by its e-mail address alone may get another name; if false, that is an error of ' +
          'the record (`name_differs`). Case, accents and white space make no other name',
      ),
      phoneCountry: PhoneCountry.optional().meta({
        description:
          'The country of phone numbers without a country code, where the address of the record names none (ISO 3166-1 alpha-2). ' +
          'Defaults to the country of the office of each record, then to the default country of the settings.',
        example: 'PT',
      }),
      dryRun: flag(false, 'Answer what would happen, and change nothing'),
    })
    .meta({ id, description, example: { records: [example], mode: 'upsert' } });
}

/** The import of each resource. */
export type ImportSchemas = {
  [Name in ResourceName]: ReturnType<typeof importOf<Directory[Name]['schemas']['imported']['shape']>>;
};
export const importSchemas = forEachResource<ImportSchemas>(({ schemas, texts }) =>
  importOf(schemas.imported, `${texts.schema}Import`, `${texts.title} to import`),
);

/** The outcome of one record. */
export const ImportResult = z
  .strictObject({
    index: z
      .int32()
      .min(0)
      .max(RECORDS_MAX - 1)
      .meta({ description: 'Which of the records, from 0', example: 17 }),
    status: z
      .enum(['created', 'updated', 'unchanged', 'rejected'])
      .meta({ description: 'What became of it; in a dry run, what would', example: 'created' }),
    id: z.string().nullable().meta({
      description: 'The id of the record; null if it was rejected, or if a dry run would create it',
      example: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
      format: 'uuid',
    }),
    version: z
      .int32()
      .min(1)
      .nullable()
      .meta({ description: 'The version it has now; null if it was rejected', example: 1 }),
    matchedBy: z
      .enum(['source', 'email', 'emailAndName'])
      .nullable()
      .meta({
        description:
          'What led to the record that was there already, also if the change is rejected: its `source`, its `email` alone, ' +
          'or, for offices, `emailAndName`; null if nothing did',
        example: 'source',
      }),
    error: z
      .strictObject({
        code: Problem.shape.code,
        detail: Problem.shape.detail.meta({ description: 'What is wrong, in a sentence' }),
        errors: z.array(FieldError).meta({
          description: 'What is wrong with the record; at most 100 faults, and 1,000 of all records together',
          maxItems: ERRORS_PER_RECORD_MAX,
        }),
        errorsOmitted: Problem.shape.errorsOmitted,
      })
      .optional()
      .meta({ description: 'Why it was rejected' }),
  })
  .meta({ id: 'ImportResult', description: 'What became of one record' });
export type ImportResult = z.infer<typeof ImportResult>;

export const ImportAnswer = z
  .strictObject({
    results: z
      .array(ImportResult)
      .meta({ description: 'One for each record, in the order they came in', maxItems: RECORDS_MAX }),
    created: count('How many were created'),
    updated: count('How many were changed'),
    unchanged: count('How many were already as given'),
    rejected: count('How many were rejected'),
  })
  .meta({ id: 'ImportAnswer', description: 'What became of the records' });
export type ImportAnswer = z.infer<typeof ImportAnswer>;

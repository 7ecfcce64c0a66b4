import { z } from 'zod';
import { type Directory, forEachResource, type ResourceName } from '../directory/registry.ts';
import { PhoneCountry } from '../engine/fields/countries.ts';
import { count } from '../engine/fields/schemas.ts';
import { ERRORS_PER_RECORD_MAX, ERRORS_PER_REQUEST_MAX, formatNumber } from '../errors/issue-text.ts';
import { FieldError, Problem } from '../errors/roster-error.ts';
import { deferErrors } from './invalid-record.ts';

/** Records in one call at most. */
export const IMPORT_RECORDS_MAX = 500;

const flag = (byDefault: boolean, description: string) =>
  z.boolean().default(byDefault).meta({ description, example: byDefault });

/** The ways in which a record of an import finds an existing one. */
export const importModes = ['create', 'upsert', 'match'] as const;
export type ImportMode = (typeof importModes)[number];

const mode = z
  .enum(importModes)
  .default('create')
  .meta({
    description:
      '`create` only creates; `upsert` updates records with the same `source`; `match` also matches by email, and ' +
      'offices by name too',
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
        .max(IMPORT_RECORDS_MAX)
        .meta({
          description: `Records to import, 1 to ${IMPORT_RECORDS_MAX}. A branch may come before its main office.`,
          example: [example],
        }),
      mode,
      isAtomic: flag(
        true,
        'Set to `false` to write valid records even if others have errors; the status is then 207. Defaults to `true`.',
      ),
      acceptWarnings: z
        .array(z.enum(['renames']))
        .max(1)
        .default([])
        .meta({
          description:
            'Warnings to accept. `renames`: a record matched by email only gets a different name; otherwise this is an ' +
            'error (`name_differs`).',
          example: ['renames'],
        }),
      phoneCountry: PhoneCountry.optional().meta({
        description:
          'Country of phone numbers without a country code (ISO 3166-1 alpha-2). Defaults to the country of the office or ' +
          'settings.',
        example: 'PT',
      }),
      dryRun: flag(
        false,
        'Set to `true` to preview the result without changing anything. Defaults to `false`.',
      ),
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
      .max(IMPORT_RECORDS_MAX - 1)
      .meta({ description: 'Index of the record, starting at 0', example: 17 }),
    status: z.enum(['created', 'updated', 'unchanged', 'error']).meta({
      description: 'Outcome of the record; with `dryRun`, the expected outcome',
      example: 'created',
    }),
    id: z.string().nullable().meta({
      description: 'ID of the record; `null` if it has errors, or if a preview would create it',
      example: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
      format: 'uuid',
    }),
    version: z
      .int32()
      .min(1)
      .nullable()
      .meta({ description: 'New version of the record; `null` if it has errors', example: 1 }),
    matchedBy: z.enum(['source', 'email', 'emailAndName']).nullable().meta({
      description:
        'How the existing record was matched: `source`, `email`, or for offices `emailAndName`; `null` if there was no match',
      example: 'source',
    }),
    error: z
      .strictObject({
        code: Problem.shape.code,
        detail: Problem.shape.detail.meta({ description: 'Error message, for people' }),
        errors: z.array(FieldError).meta({
          description: `Errors of the record, at most ${ERRORS_PER_RECORD_MAX} per record and ${formatNumber(ERRORS_PER_REQUEST_MAX)} in total`,
          maxItems: ERRORS_PER_RECORD_MAX,
        }),
        errorsOmitted: Problem.shape.errorsOmitted,
      })
      .optional()
      .meta({ description: 'Reason the record is not written' }),
  })
  .meta({ id: 'ImportResult', description: 'Outcome of one record' });
export type ImportResult = z.infer<typeof ImportResult>;

export const ImportAnswer = z
  .strictObject({
    results: z.array(ImportResult).meta({
      description: 'Outcome of each record, in the order of the request',
      maxItems: IMPORT_RECORDS_MAX,
    }),
    created: count('Number of records created'),
    updated: count('Number of records changed'),
    unchanged: count('Number of records that already had these values'),
    errors: count('Number of records with errors, which are not written'),
  })
  .meta({ id: 'ImportAnswer', description: 'Outcome of all records' });
export type ImportAnswer = z.infer<typeof ImportAnswer>;

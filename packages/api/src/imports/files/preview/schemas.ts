import { z } from 'zod';
import { resourceNames } from '../../../directory.ts';
import { count } from '../../../engine/fields/schemas.ts';
import { DateFormat, Resource, readAs, readColumn } from '../mapping-schemas.ts';
import { ImportUpload } from '../schemas.ts';

/** The most bytes of a file that its preview reads. */
export const PREVIEW_MAX_BYTES = 128 * 1024;

/** Maximum number of rows whose phone numbers a preview looks at. */
export const PHONE_ROWS_MAX = 200;

export const ImportPreviewQuery = z
  .strictObject({
    beginning: z
      .base64()
      .max(Math.ceil(PREVIEW_MAX_BYTES / 3) * 4)
      .meta({
        description: `Beginning of the file, in base64, up to ${PREVIEW_MAX_BYTES / 1024} KiB. Send exactly this much of a larger file.`,
        example: 'TmFtZSxQaG9uZQpCYWl4YSwK',
      }),
    resource: Resource.optional().meta({
      description:
        'Resource of the records in the file. Defaults to the best match among resources you can change.',
      example: resourceNames[0],
    }),
    ...ImportUpload.pick({ name: true, format: true, encoding: true, delimiter: true, mapping: true }).shape,
  })
  .meta({
    id: 'ImportPreviewQuery',
    description: 'Beginning of a file, and known parts of its mapping',
    example: { beginning: 'TmFtZSxQaG9uZQpCYWl4YSwK' },
  });
export type ImportPreviewQuery = z.output<typeof ImportPreviewQuery>;

const namePart = (example: string) =>
  z.string().nullable().meta({ description: 'The part of the name; null if it has none', example });

export const ImportPreview = z
  .strictObject({
    resource: Resource,
    ...readAs,
    columns: z
      .array(
        z.strictObject({
          ...readColumn,
          samples: z
            .array(z.string())
            .meta({ description: 'Most frequent values, at most three', maxItems: 3 }),
          values: z
            .array(
              z.strictObject({
                text: z.string().meta({ description: 'Text of a cell', example: 'Ativo' }),
                count: count('Number of rows with this text', 12),
                choice: z.string().nullable().meta({
                  description: 'Value the text stands for; `null` if unknown',
                  example: 'active',
                }),
              }),
            )
            .meta({ maxItems: 100 })
            .nullable()
            .meta({
              description:
                'The 100 most frequent texts, for fields with a fixed set of values; otherwise `null`',
            }),
          names: z
            .array(
              z.strictObject({
                text: z.string().meta({ description: 'A cell with a whole name', example: 'DOE, JANE M' }),
                firstName: namePart('JANE'),
                middleName: namePart('M'),
                lastName: namePart('DOE'),
              }),
            )
            .meta({ maxItems: 3 })
            .nullable()
            .meta({ description: 'How whole names are split, at most three; null for other columns' }),
          dates: DateFormat.nullable().meta({
            description:
              'Date format, for fields with a date; otherwise `null`. A suggestion if `dateDoubt` is set.',
            example: 'day-first',
          }),
          dateDoubt: z.enum(['ambiguous', 'contradictory']).nullable().meta({
            description: 'Reason to choose `dates`: every date reads both ways, or some contradict others',
            example: null,
          }),
          empty: count('Number of rows with an empty cell in this column', 3),
        }),
      )
      .meta({ description: 'Columns in order', maxItems: PREVIEW_MAX_BYTES }),
    missing: z.array(z.string()).meta({
      description:
        'Fields that a new record needs and no column sets. Of `firstName` and `lastName`, one is enough.',
      example: ['firstName', 'lastName'],
      maxItems: 20,
    }),
    phones: z
      .strictObject({
        rows: count('Number of rows with such phone numbers', 12),
        countries: z
          .array(
            z.strictObject({
              country: z.string().nullable().meta({
                description:
                  'Country of the phone numbers; `null` if unknown, in which case they are rejected',
                example: 'PT',
              }),
              rows: count('Number of rows whose phone numbers use this country', 12),
            }),
          )
          .meta({
            description:
              'Countries used unless the mapping sets one, based on the address, office or settings',
            maxItems: PHONE_ROWS_MAX,
          }),
      })
      .nullable()
      .meta({
        description: `Phone numbers without a country code in the first ${PHONE_ROWS_MAX} rows with such numbers; \`null\` if none`,
      }),
    problems: z
      .array(
        z.strictObject({
          code: z.enum(['repeated', 'no_columns']).meta({
            description: '`repeated`: two columns set the same field. `no_columns`: no column sets a field',
            example: 'repeated',
          }),
          columns: z.array(readColumn.name).meta({ description: 'Columns with the problem', maxItems: 2 }),
        }),
      )
      .meta({ description: 'Reason the file cannot be imported with this mapping', maxItems: 2 }),
  })
  .meta({ id: 'ImportPreview', description: 'How the file would be read, and the field of each column' });
export type ImportPreview = z.infer<typeof ImportPreview>;

import { z } from 'zod';
import { resourceNames } from '../../../directory.ts';
import { count } from '../../../engine/fields/schemas.ts';
import { DateFormat, Resource, readAs, readColumn } from '../mapping-schemas.ts';
import { ImportUpload } from '../schemas.ts';

/** The most bytes of a file that its preview reads. */
export const PREVIEW_MAX_BYTES = 128 * 1024;

/** The most rows of which a preview finds the countries of phone numbers. */
export const PHONE_ROWS_MAX = 200;

export const ImportPreviewQuery = z
  .strictObject({
    beginning: z
      .base64()
      .max(Math.ceil(PREVIEW_MAX_BYTES / 3) * 4)
      .meta({
        description: `The first bytes of the file, in base64: at most ${PREVIEW_MAX_BYTES / 1024} KiB; of a file with more, exactly these`,
        example: 'TmFtZSxQaG9uZQpCYWl4YSwK',
      }),
    resource: Resource.optional().meta({
      description:
        'The resource whose records the file has; without it the one that most columns fit, of those that the key may change',
      example: resourceNames[0],
    }),
    ...ImportUpload.pick({ name: true, format: true, encoding: true, delimiter: true, mapping: true }).shape,
  })
  .meta({
    id: 'ImportPreviewQuery',
    description: 'The beginning of a file, and what is said of it already',
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
            .meta({ description: 'Its most frequent texts, at most three', maxItems: 3 }),
          values: z
            .array(
              z.strictObject({
                text: z.string().meta({ description: 'The text of a cell', example: 'Ativo' }),
                count: count('The rows that have it', 12),
                choice: z.string().nullable().meta({
                  description: 'The value that it stands for; null if that is not known',
                  example: 'active',
                }),
              }),
            )
            .meta({ maxItems: 100 })
            .nullable()
            .meta({
              description: 'Its texts, if the field takes a few values: the 100 most frequent; else null',
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
              'Format of its days, if the field is a date; otherwise null. A suggestion if `dateDoubt` is set',
            example: 'day-first',
          }),
          dateDoubt: z.enum(['ambiguous', 'contradictory']).nullable().meta({
            description:
              'Set if you must choose `dates`: every date reads both ways, or some are day-first and others month-first',
            example: null,
          }),
          empty: count('The rows that have an empty cell in this column', 3),
        }),
      )
      .meta({ description: 'The columns in their order', maxItems: PREVIEW_MAX_BYTES }),
    missing: z.array(z.string()).meta({
      description: 'Fields that a new record needs and no column sets',
      example: ['lastName'],
      maxItems: 20,
    }),
    phones: z
      .strictObject({
        rows: count('The rows that have some', 12),
        countries: z
          .array(
            z.strictObject({
              country: z.string().nullable().meta({
                description: 'The country; null if none is known, so that these numbers would be rejected',
                example: 'PT',
              }),
              rows: count('The rows whose numbers are read as those of it', 12),
            }),
          )
          .meta({
            description:
              'How they are read unless the mapping names a country: by the country of the address, the office or the settings',
            maxItems: PHONE_ROWS_MAX,
          }),
      })
      .nullable()
      .meta({
        description: `Phone numbers without a country code in the first rows, at most ${PHONE_ROWS_MAX} that have some; null if there are none`,
      }),
    problems: z
      .array(
        z.strictObject({
          code: z.enum(['repeated', 'no_columns']).meta({
            description: '`repeated`: two columns set one field. `no_columns`: none sets any',
            example: 'repeated',
          }),
          columns: z.array(readColumn.name).meta({ description: 'Which columns', maxItems: 2 }),
        }),
      )
      .meta({ description: 'Why the file cannot be imported so', maxItems: 2 }),
  })
  .meta({ id: 'ImportPreview', description: 'How a file would be read, and what its columns are taken for' });
export type ImportPreview = z.infer<typeof ImportPreview>;

import { z } from 'zod';
import { resourceNames } from '../../directory.ts';
import { PhoneCountry } from '../../engine/fields/countries.ts';
import { isStorable, withoutNul } from '../../engine/fields/field.ts';

export const Resource = z
  .enum(resourceNames)
  .meta({ description: 'The resource whose records the file has', example: resourceNames[0] });

export const Format = z.enum(['csv', 'ndjson']);

export const Delimiter = z.enum([',', ';', '\t', '|']);

export const DateFormat = z.enum(['iso', 'day-first', 'month-first', 'year-first']);

export const EmptyCells = z.enum(['keep', 'clear']);

/** The way in which a file is read. */
export const readAs = {
  format: Format.meta({ description: 'The format that it is read as', example: 'csv' }),
  encoding: z.string().meta({ description: 'The encoding that it is read in', example: 'utf-8' }),
  delimiter: Delimiter.meta({ description: 'Between the cells of CSV', example: ',' }),
  headerRow: z.int32().min(0).meta({
    description: 'Row of the header in a CSV file. Rows above it are titles and are left out. 0 for NDJSON',
    example: 1,
  }),
};

/** A column of a file, and what it is taken for. */
export const readColumn = {
  name: z.string().meta({ description: 'The name of the column', example: 'Phone' }),
  field: z
    .string()
    .nullable()
    .meta({ description: 'The field that it sets; null if it is left out', example: 'phone' }),
};

/** A text of a file or of a mapping, which may be empty. */
const text = z
  .string()
  .max(1_000)
  .refine(isStorable, {
    message: 'must be well-formed Unicode without NUL',
    params: { code: 'invalid_character' },
  })
  .meta({ pattern: withoutNul });

/** An object in a URL, as JSON. */
export function jsonParameter<Schema extends z.ZodType<object>>(schema: Schema) {
  return z.preprocess((given: z.input<Schema>) => {
    if (typeof given !== 'string') return given;
    try {
      return JSON.parse(given) as z.input<Schema>;
    } catch {
      return given;
    }
  }, schema);
}

const named = <Item extends z.ZodType>(item: Item) => z.record(text, item);

export const ImportMapping = z
  .strictObject({
    columns: named(text)
      .optional()
      .meta({
        description:
          'The field of each column by its name in the file; an empty text for one that is ignored. Others are known by their names',
        example: { Phone: 'phone' },
      }),
    values: named(named(text))
      .optional()
      .meta({
        description: 'What the cells of a column stand for, by their text',
        example: { State: { Ativo: 'active' } },
      }),
    dates: named(DateFormat)
      .optional()
      .meta({ description: 'How the days of a column are written', example: { Expires: 'day-first' } }),
    emptyCells: named(EmptyCells)
      .optional()
      .meta({
        description:
          'What empty cells of a column do, if not what `emptyCells` of the import says: `keep` or `clear` the field',
        example: { Phone: 'clear' },
      }),
    phoneCountry: PhoneCountry.optional().meta({
      description:
        'The country of phone numbers without a country code, where the address of the record names none (ISO 3166-1 alpha-2). ' +
        'Defaults to the country of the office of each record, then to the default country of the settings.',
      example: 'PT',
    }),
  })
  .meta({ id: 'ImportMapping', description: 'What the columns of a file and their cells mean' });
export type ImportMapping = z.output<typeof ImportMapping>;

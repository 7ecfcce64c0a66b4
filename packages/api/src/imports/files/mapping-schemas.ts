import { z } from 'zod';
import { resourceNames } from '../../directory.ts';
import { PhoneCountry } from '../../engine/fields/countries.ts';
import { isStorable, withoutNul } from '../../engine/fields/field.ts';

export const Resource = z
  .enum(resourceNames)
  .meta({ description: 'Resource of the records in the file', example: resourceNames[0] });

export const Format = z.enum(['csv', 'ndjson']);

export const Delimiter = z.enum([',', ';', '\t', '|']);

export const DateFormat = z.enum(['iso', 'day-first', 'month-first', 'year-first']);

export const EmptyCells = z.enum(['keep', 'clear']);

/** The way in which a file is read. */
export const readAs = {
  format: Format.meta({ description: 'Format used to read the file', example: 'csv' }),
  encoding: z.string().meta({ description: 'Encoding used to read the file', example: 'utf-8' }),
  delimiter: Delimiter.meta({ description: 'Delimiter between the cells of CSV', example: ',' }),
  headerRow: z.int32().min(0).meta({
    description: 'Row of the header in a CSV file. Rows above it are left out. 0 for NDJSON.',
    example: 1,
  }),
};

/** A column of a file, and what it is taken for. */
export const readColumn = {
  name: z.string().meta({ description: 'Name of the column', example: 'Phone' }),
  field: z
    .string()
    .nullable()
    .meta({ description: 'Field the column sets; `null` if ignored', example: 'phone' }),
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
          'Field of each column, by column name; an empty string to ignore a column. Other columns are matched by name.',
        example: { Phone: 'phone' },
      }),
    values: named(named(text))
      .optional()
      .meta({
        description: 'Values that the cells of a column stand for, by their text',
        example: { State: { Ativo: 'active' } },
      }),
    dates: named(DateFormat)
      .optional()
      .meta({ description: 'Date format of a column', example: { Expires: 'day-first' } }),
    emptyCells: named(EmptyCells)
      .optional()
      .meta({
        description:
          'How to treat empty cells of a column, if different from `emptyCells`: `keep` or `clear` existing values',
        example: { Phone: 'clear' },
      }),
    phoneCountry: PhoneCountry.optional().meta({
      description:
        'Country of phone numbers without a country code (ISO 3166-1 alpha-2). Defaults to the country of the office or ' +
        'settings.',
      example: 'PT',
    }),
  })
  .meta({ id: 'ImportMapping', description: 'Mapping of the columns and cells of a file' });
export type ImportMapping = z.output<typeof ImportMapping>;

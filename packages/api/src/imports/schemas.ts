import { countries } from '@roster/fields/countries';
import { z } from 'zod';
import { CreatedBy } from '../access/actors.ts';
import { type Directory, forEachResource, type ResourceName, resourceNames } from '../directory/registry.ts';
import { LOOK_ALIKES_MAX, likeness } from '../duplicates/schemas.ts';
import { PhoneCountry } from '../engine/fields/countries.ts';
import { idDocs, isStorable, withoutNul } from '../engine/fields/field.ts';
import { count, RecordId, returnedTime } from '../engine/fields/schemas.ts';
import {
  booleanParameter,
  pageOf,
  pageQuery,
  repeated,
  SORT_DEFAULT,
  sortDocs,
  value,
} from '../engine/list/parameters.ts';
import { ERRORS_PER_RECORD_MAX, ERRORS_PER_REQUEST_MAX, formatNumber } from '../errors/issue-text.ts';
import { FieldError, Problem } from '../errors/roster-error.ts';
import { JobFailure, JobStatus } from '../jobs/schemas.ts';
import { deferErrors } from './invalid-record.ts';

const Resource = z
  .enum(resourceNames)
  .meta({ description: 'Resource of the records in the file', example: resourceNames[0] });

const Format = z.enum(['csv', 'ndjson']);

const Delimiter = z.enum([',', ';', '\t', '|']);

const DateFormat = z.enum(['iso', 'day-first', 'month-first', 'year-first']);

const EmptyCells = z.enum(['keep', 'clear']);

/** The way in which a file is read. */
const readAs = {
  format: Format.meta({ description: 'Format used to read the file', example: 'csv' }),
  encoding: z.string().meta({ description: 'Encoding used to read the file', example: 'utf-8' }),
  delimiter: Delimiter.meta({ description: 'Delimiter between the cells of CSV', example: ',' }),
  headerRow: z.int32().min(0).meta({
    description: 'Row of the header in a CSV file. Rows above it are left out. 0 for NDJSON.',
    example: 1,
  }),
};

/** A column of a file, and what it is taken for. */
const readColumn = {
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
function jsonParameter<Schema extends z.ZodType<object>>(schema: Schema) {
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

/** The media types of files, and the format that each says; undefined for one that says nothing. Browsers send some of them for CSV. */
export const fileMediaTypes: Readonly<Record<string, 'csv' | 'ndjson' | undefined>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/octet-stream': undefined,
  'application/csv': 'csv',
  'application/vnd.ms-excel': 'csv',
  'text/tab-separated-values': 'csv',
  'text/plain': undefined,
};

/** The largest file, in bytes after the decoding of its `Content-Encoding`. */
export const FILE_MAX_BYTES = 256 * 1024 * 1024;
/** The largest text in a call of RPC, which has the whole file in its input. */
export const CONTENT_MAX_CHARACTERS = 3 * 1024 * 1024;
/** The most rows that one import reads. */
export const ROWS_MAX = 1_000_000;
/** The share of the rows, and the number, from which moves and deactivations are warnings. */
export const MANY = { share: 0.1, count: 10 };

export const warningKinds = [
  'renames',
  'clears',
  'damaged',
  'guessed',
  'notRecord',
  'moves',
  'deactivations',
] as const;
/** A kind of warning: a row that has it is written only if you accept it. */
export type WarningKind = (typeof warningKinds)[number];
/** The kinds of rows that can be left out. A new row that looks like an existing record holds nothing up. */
const skippable = ['errors', 'lookAlikes', ...warningKinds] as const;

const warningDocs = 'by kind: names, cleared, damaged or guessed values, moves and others';

const AcceptWarnings = repeated(z.enum(warningKinds), {
  description: `Warnings to accept, ${warningDocs}`,
  example: 'renames',
});
const Skip = repeated(z.enum(skippable), {
  description: 'Rows to skip: with errors, with possible duplicates, or with certain warnings',
  example: 'errors',
});

const updateDocs =
  'Set to `true` to update the record that a row certainly is, instead of creating a duplicate';

export const ImportUpload = z
  .strictObject({
    resource: Resource,
    mode: z
      .enum(['check', 'write'])
      .default('check')
      .meta({
        description:
          '`check` waits for you to call `write`; `write` continues after the check unless errors or warnings need a ' +
          'decision',
        example: 'check',
      }),
    name: value(255).optional().meta({ description: 'File name to show in lists', example: 'staff.csv' }),
    format: Format.optional().meta({
      description:
        'Format of the file. Defaults to the media type, or to the format detected from its contents.',
      example: 'csv',
    }),
    encoding: value(40).optional().meta({
      description:
        'Encoding (WHATWG Encoding). Defaults to the `charset` or the detected encoding; otherwise windows-1252.',
      example: 'utf-8',
    }),
    delimiter: Delimiter.optional().meta({
      description: 'Delimiter between cells of CSV. Defaults to the most frequent candidate in the header.',
      example: ',',
    }),
    sourceName: value(255).optional().meta({
      description: 'Source system of the file. IDs in the file are keys of that system.',
      example: 'MLS Lisboa',
    }),
    keyColumn: value(255)
      .optional()
      .meta({ description: 'Name of the column with the key of each row in its source', example: 'Phone' }),
    mapping: jsonParameter(ImportMapping)
      .optional()
      .meta({
        description: 'Mapping of columns and cells, as JSON',
        example: { columns: { Phone: 'phone' } },
      }),
    emptyCells: EmptyCells.optional().meta({
      description:
        'How to treat empty CSV cells: `keep` or `clear` existing values. `mapping` overrides this by column. ' +
        'Defaults to `keep`.',
      example: 'clear',
    }),
    ignoreUnknown: booleanParameter()
      .optional()
      .meta({ description: 'Set to `true` to ignore unknown columns. Defaults to `false`.', example: false }),
    acceptWarnings: AcceptWarnings,
    skip: Skip,
    updateLookAlikes: booleanParameter()
      .optional()
      .meta({
        description: `${updateDocs}. Defaults to \`false\`.`,
        example: true,
      }),
    content: z.string().max(CONTENT_MAX_CHARACTERS).optional().meta({
      description: 'Contents of the file; in REST, the request body',
      pattern: '^[\\s\\S]*$',
      example: 'Name,Phone\nBaixa,\n',
    }),
  })
  .meta({
    id: 'ImportUpload',
    description: 'A file to import',
    example: { resource: resourceNames[0], content: 'Name,Phone\nBaixa,\n' },
  });
export type ImportUpload = z.output<typeof ImportUpload>;

export const ImportFindings = z
  .strictObject({
    warnings: z.array(z.enum(warningKinds)).meta({
      maxItems: warningKinds.length,
      description: `Warnings to accept or skip, ${warningDocs}`,
      example: ['renames'],
    }),
    renames: count('Number of rows that would rename a record matched without a key, or by a split name', 1),
    clears: count('Number of rows whose empty cells would clear a field of a record', 2),
    clearedFields: z.record(z.string(), count('Records', 2)).meta({
      description: 'Number of records that would lose the value of a field by an empty cell, by field',
      example: { phone: 2 },
    }),
    damaged: count(
      'Number of rows with a value that a spreadsheet has destroyed, such as `1.2E+11` or `#REF!`',
      0,
    ),
    guessed: count('Number of rows with a value that reads in several ways, such as a year of two digits', 0),
    notRecord: count('Number of rows that look like totals, titles or a repeated header', 0),
    moves: count('Number of rows that would move a record to a different office', 4),
    deactivations: count('Number of rows that would deactivate a record', 0),
    createdWithoutKey: count('Number of rows that would create a record without a key', 2),
    createdWithoutEmail: count(
      'Number of rows without a key or email address, which importing the file again would duplicate',
      1,
    ),
    matchedByEmail: count('Number of updated and unchanged rows matched by email address', 40),
    lookAlikes: count('Number of rows that would create a possible duplicate', 2),
    certainLookAlikes: count('Number of these rows whose record certainly exists, by its duplicate score', 1),
    isUpdateSuggested: z.boolean().meta({
      description: 'Whether to set `updateLookAlikes`: the file has a column with a number or a licence',
      example: true,
    }),
    phoneCountries: z
      .array(
        z.strictObject({
          country: z.string().meta({ description: 'Country used for the phone numbers', example: 'PT' }),
          rows: count('Number of rows with such phone numbers', 12),
        }),
      )
      .meta({
        description: 'Phone numbers without a country code, by the country used, most rows first',
        maxItems: countries.size,
      }),
  })
  .meta({ id: 'ImportFindings', description: 'Result of a check. A row can be in several of its numbers.' });
export type ImportFindings = z.infer<typeof ImportFindings>;

export const Import = z
  .strictObject({
    id: z
      .string()
      .meta(idDocs('ID of the import, also that of its job and the `bulkId` in the details of its events')),
    resource: Resource,
    name: z.string().nullable().meta({ description: 'Name of the file', example: 'staff.csv' }),
    ...readAs,
    columns: z
      .array(
        z.strictObject({
          ...readColumn,
        }),
      )
      .meta({
        description: 'Columns of CSV in order; empty for NDJSON',
        maxItems: FILE_MAX_BYTES,
      }),
    step: z.enum(['read', 'check', 'write']).meta({
      description:
        'Current or last step: reading, checking or writing rows. An import that ended with `check` has written nothing',
      example: 'check',
    }),
    status: JobStatus,
    total: count('Number of rows in the file, or read so far', 1_200),
    processed: count('Number of rows processed in this step', 500),
    created: count('Number of rows that create a record. Expected until the rows are written.', 12),
    updated: count('Number of rows that change a record. Expected until the rows are written.', 480),
    unchanged: count('Number of rows whose record already has these values', 705),
    errors: count('Number of rows with errors, which are not written', 3),
    warnings: count(
      'Number of rows with warnings, which are written if you accept them; 0 once you have accepted or skipped them',
      1,
    ),
    skipped: count('Number of rows you chose to skip', 0),
    findings: ImportFindings.nullable().meta({
      description: 'Result of the check; `null` until the check has ended',
    }),
    failure: JobFailure.nullable().meta({ description: 'Reason the import failed; `null` if it did not' }),
    undoneBy: z
      .string()
      .nullable()
      .meta(idDocs('ID of the latest job that undoes the import; `null` if none')),
    createdAt: returnedTime('When the file was received'),
    createdBy: CreatedBy,
    finishedAt: returnedTime('When the last step ended; `null` until then').nullable(),
  })
  .meta({ id: 'Import', description: 'A file imported by a background job' });
export type Import = z.infer<typeof Import>;

export const ImportQuery = z.strictObject({
  ...pageQuery,
  sort: z
    .enum(['createdAt', '-createdAt'])
    .default(SORT_DEFAULT)
    .meta({ ...sortDocs, example: 'createdAt' }),
  status: repeated(JobStatus, { description: 'Filter by status', example: 'running' }),
  resource: repeated(Resource, {
    description: 'Filter by resource. Defaults to the resources you can read.',
    example: resourceNames[0],
  }),
});
export type ImportQuery = z.output<typeof ImportQuery>;
export const ImportPage = pageOf(Import, 'ImportPage');

export const ImportWrite = z
  .strictObject({
    id: RecordId,
    acceptWarnings: z
      .array(z.enum(warningKinds))
      .max(warningKinds.length)
      .optional()
      .meta({
        description: 'Warnings to accept',
        example: ['renames'],
      }),
    skip: z
      .array(z.enum(skippable))
      .max(skippable.length)
      .optional()
      .meta({ description: 'Kinds of rows to skip', example: ['errors'] }),
    updateLookAlikes: z
      .boolean()
      .optional()
      .meta({ description: `${updateDocs}`, example: true }),
  })
  .meta({
    id: 'ImportWrite',
    description: 'Errors and warnings to accept or skip',
    example: { skip: ['errors'] },
  });
export type ImportWrite = z.output<typeof ImportWrite>;

const place = {
  row: z
    .int32()
    .min(1)
    .meta({ description: 'Row number, as in a spreadsheet: the header is row 1', example: 17 }),
  line: z.int32().min(1).meta({ description: 'Line of the file where the row begins', example: 17 }),
};

const fault = {
  column: z.string().meta({
    description: 'Name of the column in the file; empty for the whole row',
    example: 'E-mail',
  }),
  code: z.string().meta({ description: 'Error code, for programs', example: 'invalid_format' }),
  detail: z.string().meta({ description: 'Error message, for people', example: 'must be an email address' }),
};

const correctedText = text.meta({
  description: 'Text to read instead of the cell',
  example: 'Casa Clara Baixa',
});

const Outcome = z.enum(['created', 'updated', 'unchanged', 'error', 'warning', 'skipped']);

export const ImportRow = z
  .strictObject({
    ...place,
    outcome: Outcome.nullable().meta({
      description:
        'Outcome of the row: actual if written, otherwise expected; `warning` if you must accept it; `null` until checked',
      example: 'updated',
    }),
    recordId: z.string().nullable().meta(idDocs('ID of the record; `null` if it does not exist yet')),
    matchedBy: z.enum(['source', 'id', 'email', 'emailAndName', 'name', 'likeness']).nullable().meta({
      description: 'How the existing record was matched; `null` if there was no match',
      example: 'source',
    }),
    cells: z.array(z.string()).meta({
      description: 'Texts of the cells in the order of the columns; the line for NDJSON',
      example: ['Baixa', '+351 210 000 000'],
      maxItems: FILE_MAX_BYTES,
    }),
    errors: z
      .array(
        z.strictObject({
          column: fault.column,
          code: fault.code,
          detail: fault.detail,
        }),
      )
      .meta({ description: 'Errors of the row', maxItems: 1_000 }),
    changes: z
      .array(
        z.strictObject({
          field: z.string().meta({ description: 'Name of the field', example: 'phone' }),
          from: z.unknown().meta({ description: 'Value before the change', example: null }),
          to: z.unknown().meta({ description: 'Value after the change', example: '+351210000000' }),
        }),
      )
      .meta({ description: 'Fields the row would change; empty for a new record', maxItems: 100 }),
    cleared: z.array(z.string()).meta({
      description: 'Fields an empty cell would clear. Parts of an object follow a dot.',
      maxItems: 1_000,
      example: ['phone'],
    }),
    corrections: z
      .array(z.strictObject({ column: fault.column, text: correctedText }))
      .meta({ description: 'Cells that were corrected after the upload', maxItems: 1_000 }),
    notes: z
      .array(
        z.strictObject({
          column: fault.column,
          kind: z
            .enum(['damaged', 'guessed', 'notRecord'])
            .meta({ description: 'Kind of warning', example: 'guessed' }),
          detail: z
            .string()
            .meta({ description: 'Reason for the warning', example: 'may be the names of two people' }),
        }),
      )
      .meta({ description: 'Reasons for warnings about the values of the row', maxItems: 1_000 }),
    warnings: z.array(z.enum(warningKinds)).meta({
      description: 'Warnings that apply to the row, if there are enough such rows',
      maxItems: warningKinds.length,
      example: ['renames'],
    }),
    lookAlikes: z
      .array(
        z.strictObject({
          recordId: z.string().meta(idDocs('ID of the existing record')),
          name: z.string().meta({ description: 'Name of the existing record', example: 'Ana Figueiredo' }),
          ...likeness,
          isCertain: z.boolean().meta({
            description: 'Whether the row certainly is this record, so that `updateLookAlikes` updates it',
            example: true,
          }),
        }),
      )
      .meta({
        description:
          'Possible duplicates, most probable first. These rows are still written unless you use `skip: lookAlikes`.',
        maxItems: LOOK_ALIKES_MAX,
      }),
  })
  .meta({ id: 'ImportRow', description: 'A row of a file, and its outcome' });
export type ImportRow = z.infer<typeof ImportRow>;

export const ImportRowQuery = z.strictObject({
  id: RecordId,
  ...pageQuery,
  outcome: repeated(Outcome, { description: 'Filter by outcome', example: 'updated' }),
  warnings: repeated(z.enum(warningKinds), {
    description: 'Filter by warning',
    example: 'renames',
  }),
  errorColumn: value(1_000)
    .meta({ description: 'Filter by the column of an error', example: 'Office' })
    .optional(),
  errorCode: value(40)
    .meta({ description: 'Filter by the code of an error', example: 'not_found' })
    .optional(),
  errorValue: text
    .meta({
      description: 'Filter by the text of the cell with an error, with `errorColumn`',
      example: 'Casa Clara Lisbao',
    })
    .optional(),
  looksLike: booleanParameter()
    .meta({
      description: 'Set to `true` for possible duplicates only, or `false` for other rows only',
      example: true,
    })
    .optional(),
});
export type ImportRowQuery = z.output<typeof ImportRowQuery>;
export const ImportRowPage = pageOf(ImportRow, 'ImportRowPage');

export const ImportError = z
  .strictObject({
    ...place,
    column: fault.column,
    value: z
      .string()
      .nullable()
      .meta({ description: 'Text of the cell; `null` if there is none', example: 'ana@' }),
    code: fault.code,
    detail: fault.detail,
  })
  .meta({ id: 'ImportError', description: 'Error of a row of a file, which is not written' });
export type ImportError = z.infer<typeof ImportError>;

export const ImportErrorQuery = z.strictObject({ id: RecordId, ...pageQuery });
export type ImportErrorQuery = z.output<typeof ImportErrorQuery>;
export const ImportErrorPage = pageOf(ImportError, 'ImportErrorPage');

/** The most values of a group of errors. */
const GROUP_VALUES_MAX = 50;

export const ImportErrorGroups = z
  .strictObject({
    rows: count('Number of rows with errors', 1_045),
    groups: z
      .array(
        z.strictObject({
          column: fault.column,
          field: readColumn.field,
          code: fault.code,
          detail: fault.detail.meta({ description: 'One of the error messages, for people' }),
          rows: count('Number of rows with such an error', 177),
          values: z
            .array(
              z.strictObject({
                value: z.string().meta({ description: 'Text of the cells', example: 'Casa Clara Lisbao' }),
                rows: count('Number of rows with this text and error', 13),
                suggestions: z.array(z.string()).meta({
                  description: 'Texts that were probably meant, most probable first',
                  example: ['Casa Clara Lisboa'],
                  maxItems: 3,
                }),
              }),
            )
            .meta({ description: 'Most frequent texts of the cells', maxItems: GROUP_VALUES_MAX }),
          valuesCount: count('Number of different texts', 5),
          unused: z
            .array(
              z.strictObject({
                column: z.string().meta({ description: 'Name of the column', example: 'Licence no.' }),
                rows: count('Number of these rows with a text in it', 812),
              }),
            )
            .meta({
              description: 'Ignored columns that may have the missing value, most probable first',
              maxItems: 3,
            }),
        }),
      )
      .meta({ description: 'Errors by column and kind, most rows first', maxItems: 200 }),
  })
  .meta({ id: 'ImportErrorGroups', description: 'The errors of an import, grouped by column and kind' });
export type ImportErrorGroups = z.infer<typeof ImportErrorGroups>;

const correctedCell = {
  column: text.meta({ description: 'Name of the column in the file', example: 'Office' }),
  value: text.meta({
    description: 'Text of the cells in the file; empty for empty cells',
    example: 'Casa Clara Lisbao',
  }),
};

export const ImportCorrections = z
  .strictObject({
    id: RecordId,
    corrections: z
      .array(
        z.strictObject({
          ...correctedCell,
          text: correctedText.nullable().meta({
            description: 'Text to read instead; `null` to restore the text of the file',
            example: 'Casa Clara Lisboa',
          }),
          rows: z
            .array(z.int32().min(1))
            .min(1)
            .max(1_000)
            .optional()
            .meta({
              description:
                'Rows to correct. Defaults to every row whose cell has this text and is not corrected.',
              example: [17],
            }),
        }),
      )
      .min(1)
      .max(100)
      .meta({
        description: 'Corrections, 1 to 100',
        example: [{ column: 'Name', value: 'Exampel office', text: 'Example office' }],
      }),
  })
  .meta({
    id: 'ImportCorrections',
    description: 'Corrections of cells',
    example: { corrections: [{ column: 'Name', value: 'Exampel office', text: 'Example office' }] },
  });
export type ImportCorrections = z.output<typeof ImportCorrections>;

export const ImportCorrected = z
  .strictObject({
    corrections: z
      .array(
        z.strictObject({
          ...correctedCell,
          text: correctedText,
          rows: count('Number of rows corrected like this', 12),
        }),
      )
      .meta({ description: 'Corrections in effect, most rows first', maxItems: 1_000 }),
  })
  .meta({ id: 'ImportCorrected', description: 'The corrections of an import' });
export type ImportCorrected = z.infer<typeof ImportCorrected>;

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
                namePrefix: namePart('Dr.'),
                firstName: namePart('JANE'),
                middleName: namePart('M'),
                lastName: namePart('DOE'),
                nameSuffix: namePart('Jr.'),
                designations: z
                  .array(z.string())
                  .meta({ description: 'Designations of the name', example: ['GRI'], maxItems: 100 }),
                doubt: z.string().nullable().meta({
                  description: 'Reason the split may be wrong: the row has the warning `guessed`',
                  example: null,
                }),
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
    lacking: z
      .array(
        z.strictObject({
          column: readColumn.name,
          field: z.string().meta({ description: 'Field the column sets', example: 'licenses[0].expiresOn' }),
          needs: z.string().meta({ description: 'Field that no column sets', example: 'licenses[0].number' }),
          unused: z.array(z.string()).meta({
            description: 'Ignored columns that may set it, most probable first',
            example: ['Cédula'],
            maxItems: 3,
          }),
        }),
      )
      .meta({ description: 'Columns whose field needs another field', maxItems: PREVIEW_MAX_BYTES }),
    encodingDoubt: z
      .strictObject({
        reason: z.string().meta({
          description: 'Reason you must choose the encoding',
          example: 'The file has signs between letters.',
        }),
        choices: z
          .array(
            z.strictObject({
              encoding: z.string().meta({ description: 'Encoding to choose', example: 'macintosh' }),
              sample: z
                .string()
                .meta({ description: 'A text of the file in this encoding', example: 'João' }),
            }),
          )
          .meta({ description: 'Encodings that are possible, most probable first', maxItems: 20 }),
      })
      .nullable()
      .meta({ description: 'Doubt about the encoding; `null` if it is certain or was given' }),
    last: z
      .strictObject({
        id: z.string().meta(idDocs('ID of the import')),
        resource: Resource,
        createdAt: returnedTime('When it was received'),
        mapping: z
          .strictObject(ImportMapping.shape)
          .meta({ id: 'LastMapping', description: 'Mapping of the columns and cells of that file' }),
        emptyCells: EmptyCells,
        sourceName: z
          .string()
          .nullable()
          .meta({ description: 'Source system; `null` if none', example: 'MLS Lisboa' }),
        keyColumn: z
          .string()
          .nullable()
          .meta({ description: 'Column with keys; `null` if none', example: 'Key' }),
      })
      .nullable()
      .meta({
        description:
          'Mapping of the last import of a file with the same columns; `null` if there is none. Not applied.',
      }),
    phones: z
      .strictObject({
        rows: count('Number of rows with such phone numbers', 12),
        countries: z
          .array(
            z.strictObject({
              country: z.string().nullable().meta({
                description: 'Country of the phone numbers; `null` if unknown, in which case they are errors',
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

export const ImportResponse = z
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
  .meta({ id: 'ImportResponse', description: 'Outcome of all records' });
export type ImportResponse = z.infer<typeof ImportResponse>;

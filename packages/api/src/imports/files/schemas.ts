import { countries } from '@roster/fields/countries';
import { z } from 'zod';
import { resourceNames } from '../../directory.ts';
import { LOOK_ALIKES_MAX, likeness } from '../../duplicates/schemas.ts';
import { idDocs } from '../../engine/fields/field.ts';
import { answeredTime, count, RecordId } from '../../engine/fields/schemas.ts';
import {
  booleanParameter,
  pageOf,
  pageQuery,
  repeated,
  SORT_DEFAULT,
  sortDocs,
  value,
} from '../../engine/list/parameters.ts';
import { CreatedBy } from '../../identity/keys/schemas.ts';
import { JobFailure, JobStatus } from '../../jobs/schemas.ts';
import {
  Delimiter,
  EmptyCells,
  Format,
  ImportMapping,
  jsonParameter,
  Resource,
  readAs,
  readColumn,
} from './mapping-schemas.ts';

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
/** The share of the rows, and the number, from which moves and deactivations are suspicious. */
export const MANY = { share: 0.1, count: 10 };

export const suspicions = ['renames', 'clears', 'moves', 'deactivations'] as const;
/** A kind of row that a check finds suspicious. */
export type Suspicion = (typeof suspicions)[number];
/** The kinds of rows that can be left out. A new row that looks like an existing record holds nothing up. */
const skippable = ['rejected', 'lookAlikes', ...suspicions] as const;

const suspicionDocs =
  '`renames`: records that an e-mail address alone led to, and that would get another name; `clears`: records that would lose the value ' +
  'of a field by an empty cell; `moves`, `deactivations`: of ' +
  `at least ${MANY.count} records and a tenth of the rows`;

const Confirmed = repeated(z.enum(suspicions), {
  description: `What may be written although the check finds it suspicious. ${suspicionDocs}`,
  example: 'renames',
});
const Skipped = repeated(z.enum(skippable), {
  description:
    'Rows that are left out when the others are written: those that are rejected, that would create what looks like an existing ' +
    'record, or that are suspicious',
  example: 'rejected',
});

export const ImportUpload = z
  .strictObject({
    resource: Resource,
    mode: z
      .enum(['check', 'write'])
      .default('check')
      .meta({
        description:
          '`check`: nothing is written until `write` is called. `write`: it is written after its check, unless rows are rejected ' +
          'or suspicious and neither confirmed nor skipped',
        example: 'check',
      }),
    name: value(255)
      .optional()
      .meta({ description: 'The name of the file, for lists', example: 'staff.csv' }),
    format: Format.optional().meta({
      description: 'The format; without it as the media type says, else by how the file begins',
      example: 'csv',
    }),
    encoding: value(40).optional().meta({
      description:
        'The encoding (WHATWG Encoding); without it the `charset` of the media type, or that of the byte order mark, UTF-16 or UTF-8 if the file is that, else windows-1252',
      example: 'utf-8',
    }),
    delimiter: Delimiter.optional().meta({
      description: 'Between the cells of CSV; without it the one of these that the header has most of',
      example: ',',
    }),
    sourceName: value(255).optional().meta({
      description: 'The system that the file comes from: the ids in it are its keys',
      example: 'MLS Lisboa',
    }),
    keyColumn: value(255)
      .optional()
      .meta({ description: 'The column with the key of each row in its source', example: 'Phone' }),
    mapping: jsonParameter(ImportMapping)
      .optional()
      .meta({
        description: 'What columns and cells mean, as JSON',
        example: { columns: { Phone: 'phone' } },
      }),
    emptyCells: EmptyCells.optional().meta({
      description:
        'What an empty cell of a CSV file does to a field that has a value: `keep` or `clear` it. `mapping` can say otherwise for a column. ' +
        'In NDJSON, `null` clears a field. Defaults to `keep`.',
      example: 'clear',
    }),
    ignoreUnknown: booleanParameter()
      .optional()
      .meta({ description: 'Whether columns that are not known are ignored', example: false }),
    confirm: Confirmed,
    skip: Skipped,
    content: z.string().max(CONTENT_MAX_CHARACTERS).optional().meta({
      description: 'The text of the file; in REST it is the body',
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
    created: count('Rows that would create a record', 12),
    updated: count('Rows that would change one', 480),
    unchanged: count('Rows whose record is as they say', 705),
    rejected: count('Rows that could not be written', 3),
    renames: count(
      'Rows that would give another name to a record that their e-mail address alone leads to',
      1,
    ),
    clears: count('Rows that would clear a field of a record by an empty cell', 2),
    clearedFields: z.record(z.string(), count('Records', 2)).meta({
      description: 'How many records would lose the value of each field by an empty cell',
      example: { phone: 2 },
    }),
    moves: count('Rows that would move a record to another office', 4),
    deactivations: count('Rows that would deactivate a record', 0),
    createdWithoutKey: count('Of the created: those without a key', 2),
    createdWithoutEmail: count(
      'Of these: those without an e-mail address, which the file would create again',
      1,
    ),
    matchedByEmail: count('Of the updated and unchanged: those that an e-mail address led to', 40),
    lookAlikes: count('Of the created: those that look like an existing record', 2),
    phoneCountries: z
      .array(
        z.strictObject({
          country: z.string().meta({ description: 'The country they are read as', example: 'PT' }),
          rows: count('Rows with such numbers', 12),
        }),
      )
      .meta({
        description:
          'Rows with phone numbers without a country code, by the country they are read as, most rows first',
        maxItems: countries.size,
      }),
  })
  .meta({ id: 'ImportFindings', description: 'What a check says: how many rows would do what' });
export type ImportFindings = z.infer<typeof ImportFindings>;

export const Import = z
  .strictObject({
    id: z
      .string()
      .meta(
        idDocs('Assigned by the server; also that of its job, and the `bulkId` in the details of its events'),
      ),
    resource: Resource,
    name: z.string().nullable().meta({ description: 'The name of the file', example: 'staff.csv' }),
    ...readAs,
    columns: z
      .array(
        z.strictObject({
          ...readColumn,
        }),
      )
      .meta({
        description: 'The columns of CSV in their order; empty for NDJSON',
        maxItems: FILE_MAX_BYTES,
      }),
    step: z.enum(['read', 'check', 'write']).meta({
      description:
        'Its rows are read into the service, checked, and written: which of these it does, or did last. An import that ended with ' +
        '`check` has written nothing',
      example: 'check',
    }),
    status: JobStatus,
    total: count('The rows of the file; those that were read so far while it is read', 1_200),
    processed: count('The rows with which the step is done', 500),
    created: count('The records that it has created', 0),
    updated: count('The records that it has changed', 0),
    unchanged: count('The rows whose records were as they say', 0),
    rejected: count('The rows that were rejected, by the check or since', 3),
    findings: ImportFindings.nullable().meta({ description: 'What the check says; null until it has ended' }),
    unconfirmed: z.array(z.enum(['rejected', ...suspicions])).meta({
      maxItems: suspicions.length + 1,
      description: `What must be confirmed or skipped before the file is written; ${suspicionDocs}`,
      example: ['renames'],
    }),
    failure: JobFailure.nullable().meta({ description: 'Why it has failed; null if it has not' }),
    undoneBy: z.string().nullable().meta(idDocs('The latest job that undoes it; null if there is none')),
    createdAt: answeredTime('When the file was received'),
    createdBy: CreatedBy,
    finishedAt: answeredTime('When its last step ended; null until then').nullable(),
  })
  .meta({ id: 'Import', description: 'A file that is imported by a job in the background' });
export type Import = z.infer<typeof Import>;

export const ImportQuery = z.strictObject({
  ...pageQuery,
  sort: z
    .enum(['createdAt', '-createdAt'])
    .default(SORT_DEFAULT)
    .meta({ ...sortDocs, example: 'createdAt' }),
  status: repeated(JobStatus, { description: 'Only imports with this status', example: 'running' }),
  resource: repeated(Resource, {
    description: 'Only imports of this resource; without it, of those that the key may read',
    example: resourceNames[0],
  }),
});
export type ImportQuery = z.output<typeof ImportQuery>;
export const ImportPage = pageOf(Import, 'ImportPage');

export const ImportWrite = z
  .strictObject({
    id: RecordId,
    confirm: z
      .array(z.enum(suspicions))
      .max(suspicions.length)
      .optional()
      .meta({
        description: 'What may be written although the check finds it suspicious',
        example: ['renames'],
      }),
    skip: z
      .array(z.enum(skippable))
      .max(skippable.length)
      .optional()
      .meta({ description: 'Rows that are left out', example: ['rejected'] }),
  })
  .meta({
    id: 'ImportWrite',
    description: 'What is written although the check rejects or suspects some of it',
    example: { skip: ['rejected'] },
  });
export type ImportWrite = z.output<typeof ImportWrite>;

const place = {
  row: z
    .int32()
    .min(1)
    .meta({ description: 'The row, counted as in a spreadsheet: the header is row 1', example: 17 }),
  line: z.int32().min(1).meta({ description: 'The line of the file in which the row begins', example: 17 }),
};

const fault = {
  column: z.string().meta({
    description: 'The name of the column in the file; empty for the whole row',
    example: 'E-mail',
  }),
  code: z
    .string()
    .meta({ description: 'A code for programs, as of other field errors', example: 'invalid_format' }),
  detail: z.string().meta({ description: 'What is wrong', example: 'must be an e-mail address' }),
};

const Outcome = z.enum(['created', 'updated', 'unchanged', 'rejected', 'skipped']);

export const ImportRow = z
  .strictObject({
    ...place,
    outcome: Outcome.nullable().meta({
      description: 'What became of it; as long as nothing is written, what would; null until it is checked',
      example: 'updated',
    }),
    recordId: z.string().nullable().meta(idDocs('Its record; null if there is none yet')),
    matchedBy: z
      .enum(['source', 'id', 'email', 'emailAndName', 'name'])
      .nullable()
      .meta({ description: 'What led to the record that was there; null if nothing did', example: 'source' }),
    cells: z.array(z.string()).meta({
      description: 'The texts of its cells, in the order of the columns; the line for NDJSON',
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
      .meta({ description: 'Why it is rejected: all of it', maxItems: 1_000 }),
    changes: z
      .array(
        z.strictObject({
          field: z.string().meta({ description: 'The field', example: 'phone' }),
          from: z.unknown().meta({ description: 'Its value before', example: null }),
          to: z.unknown().meta({ description: 'Its value after', example: '+351210000000' }),
        }),
      )
      .meta({ description: 'The fields that the check says change; of a new record none', maxItems: 100 }),
    cleared: z.array(z.string()).meta({
      description: 'The fields that an empty cell would clear. A part of an object follows a dot.',
      maxItems: 1_000,
      example: ['phone'],
    }),
    suspicious: z.array(z.enum(suspicions)).meta({
      description: 'Why it is suspicious, if there are enough of these rows',
      maxItems: suspicions.length,
      example: ['renames'],
    }),
    lookAlikes: z
      .array(
        z.strictObject({
          recordId: z.string().meta(idDocs('The existing record')),
          name: z.string().meta({ description: 'Its name', example: 'Ana Figueiredo' }),
          ...likeness,
        }),
      )
      .meta({
        description:
          'Existing records that look like the one the row would create, the most probable first, as the check found. They do not ' +
          'prevent the row from being written; `skip: lookAlikes` leaves such rows out',
        maxItems: LOOK_ALIKES_MAX,
      }),
  })
  .meta({ id: 'ImportRow', description: 'A row of a file, and what becomes of it' });
export type ImportRow = z.infer<typeof ImportRow>;

export const ImportRowQuery = z.strictObject({
  id: RecordId,
  ...pageQuery,
  outcome: repeated(Outcome, { description: 'Only rows with this outcome', example: 'updated' }),
  suspicious: repeated(z.enum(suspicions), {
    description: 'Only rows that are suspicious in this way',
    example: 'renames',
  }),
  looksLike: booleanParameter()
    .meta({
      description: 'Only rows that look like an existing record, or only the others',
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
      .meta({ description: 'The text of the cell; null without one', example: 'ana@' }),
    code: fault.code,
    detail: fault.detail,
  })
  .meta({ id: 'ImportError', description: 'Why a row of a file is rejected' });
export type ImportError = z.infer<typeof ImportError>;

export const ImportErrorQuery = z.strictObject({ id: RecordId, ...pageQuery });
export type ImportErrorQuery = z.output<typeof ImportErrorQuery>;
export const ImportErrorPage = pageOf(ImportError, 'ImportErrorPage');

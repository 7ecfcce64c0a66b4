import { trimmedText } from '@roster/fields/text';
import { z } from 'zod';
import { choice, isStorable, notBlank } from '../fields/field.ts';
import { timeFilter } from '../fields/relative-time.ts';
import { count, RecordId, Status } from '../fields/schemas.ts';
import { countryCode, regionCode } from '../sameness/keys.ts';
import { HIGHLIGHTS_MAX, Highlight } from '../search/highlights.ts';
import { RANKED_MAX, RELEVANCE } from '../search/relevance.ts';
import { countWords, SEARCH_WORDS_MAX } from '../search/search.ts';

export function booleanParameter() {
  return z.preprocess(
    (value: boolean | undefined) => ({ true: true, false: false })[String(value)] ?? value,
    z.boolean(),
  );
}

/** Integers beyond JavaScript's exact range become its greatest, which the schema's maximum rejects. */
export function integerParameter<Schema extends z.ZodType<number>>(schema: Schema) {
  return z.preprocess((value: number | undefined) => {
    const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
    return number !== undefined && number > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : number;
  }, schema);
}

export function repeated<Item extends z.ZodType>(
  item: Item,
  { countMax = 100, ...docs }: { description: string; example?: unknown; countMax?: number },
) {
  type Given = z.input<Item> | z.input<Item>[];
  return z
    .preprocess(
      (value: Given) => (Array.isArray(value) ? value : [value]),
      z
        .array(item)
        .min(1)
        .max(countMax)
        .meta(docs.example === undefined ? {} : { example: [docs.example] }),
    )
    .meta({ description: `${docs.description}. Repeat for several values.` })
    .optional();
}

/**
 * Text in its stored form, without NUL.
 * @public for the queries of one resource alone
 */
export function value(lengthMax: number, canonical = (form: string) => form) {
  return z
    .string()
    .overwrite((given) => canonical(trimmedText(given)))
    .min(1)
    .max(lengthMax)
    .refine(isStorable, {
      message: 'must be well-formed Unicode without NUL',
      params: { code: 'invalid_character' },
    })
    .meta({ pattern: notBlank });
}

export const LIMIT_DEFAULT = 50;
export const LIMIT_MAX = 200;

export const limitParameter = integerParameter(z.int().min(1).max(LIMIT_MAX))
  .prefault(LIMIT_DEFAULT)
  .meta({
    description: `Maximum number of records on a page, up to ${LIMIT_MAX}. Defaults to ${LIMIT_DEFAULT}.`,
    example: 50,
  });

export const cursorParameter = z
  .preprocess((value: string | undefined) => value ?? undefined, z.string().min(1).max(4_000).optional())
  .meta({
    description:
      'The `nextCursor` or `prevCursor` of a previous page. Use it with the same filters, sort order and `startAt`.',
    pattern: '^[\\w-]+$',
  })
  .optional();

/**
 * tRPC's infinite queries send a null cursor for the first page, and a direction with every page. A cursor
 * has its own direction: a page reached backward is refetched with `forward`. REST has no `direction` (see
 * `rpcOnly`).
 */
export const pageQuery = {
  limit: limitParameter,
  cursor: cursorParameter,
  direction: z
    .enum(['forward', 'backward'])
    .meta({
      description: 'Sent by infinite queries in tRPC. `backward` requires a `prevCursor` as the cursor.',
      example: 'forward',
    })
    .optional(),
  startAt: value(255)
    .meta({
      description:
        'First sort value to return: a timestamp or the beginning of a name. Has no effect with a cursor.',
      example: '2026-01-31T08:00:00Z',
    })
    .optional(),
};

/** Filters by the parts of an address, which `address` names in their descriptions. */
export function addressFilterQuery(address: string) {
  return {
    city: repeated(value(100), {
      description: `Filter by city of ${address}, ignoring case`,
      example: 'Lisboa',
    }),
    region: repeated(value(3, regionCode), {
      description: `Filter by region of ${address}, ignoring case`,
      example: '11',
    }),
    postalCode: repeated(value(16), {
      description: `Filter by postal code of ${address}, ignoring case`,
      example: '1100-420',
    }),
    country: repeated(value(2, countryCode), {
      description: `Filter by country of ${address}, ignoring case`,
      example: 'PT',
    }),
  };
}

export const fieldFilterQuery = {
  email: repeated(value(254), {
    description: 'Filter by email address, ignoring case',
    example: 'ana@atlantico.example',
  }),
  mlsId: repeated(value(50), { description: 'Filter by MLS ID', example: 'LX0042' }),
  ...addressFilterQuery('the address'),
};

const fieldOfFilter = {
  email: 'email',
  mlsId: 'mlsId',
  city: 'address',
  region: 'address',
  postalCode: 'address',
  country: 'address',
} as const satisfies Record<keyof typeof fieldFilterQuery, string>;

type FieldFilters<Fields> = {
  [Name in keyof typeof fieldFilterQuery as (typeof fieldOfFilter)[Name] extends keyof Fields
    ? Name
    : never]: (typeof fieldFilterQuery)[Name];
};

function fieldFiltersOf<Fields extends object>(fields: Fields): FieldFilters<Fields> {
  const filters = Object.entries(fieldFilterQuery);
  const own = filters.filter(([name]) => fieldOfFilter[name as keyof typeof fieldOfFilter] in fields);
  return Object.fromEntries(own) as FieldFilters<Fields>;
}

export function filterQueryOf<Fields extends object>(fields: Fields) {
  return {
    q: value(200)
      .refine((text) => countWords(text) <= SEARCH_WORDS_MAX, {
        message: `must hold at most ${SEARCH_WORDS_MAX} different words`,
        params: { code: 'too_many' },
      })
      .meta({
        description:
          `Search names, email addresses, MLS IDs, licences, cities and phone numbers. All words (up to ${SEARCH_WORDS_MAX}) must ` +
          'match.',
        example: 'figueir lisboa',
      })
      .optional(),
    status: repeated(choice(Status, Status.options), {
      description: 'Filter by status. By default, both are returned.',
      example: 'active',
    }),
    ids: repeated(RecordId, { description: 'Filter by ID', countMax: 200 }),
    ...fieldFiltersOf(fields),
    sourceName: repeated(value(255), { description: 'Filter by source system', example: 'MLS Lisboa' }),
    sourceKey: repeated(value(255), {
      description: 'Filter by key in the source system',
      example: 'OFF-0042',
    }),
    createdSince: timeFilter('Filter by creation: at or after this time'),
    createdBefore: timeFilter('Filter by creation time: before this time'),
    updatedSince: timeFilter('Filter by change: at or after this time'),
    updatedBefore: timeFilter('Filter by last change: before this time'),
    deactivatedSince: timeFilter('Filter by deactivation: at or after this time'),
  };
}

/** The filter `not`, for a list in which these can be turned around. */
export function notQuery<const Names extends readonly [string, ...string[]]>(names: Names) {
  return {
    not: repeated(z.enum(names), {
      description: 'Negate the named filter, which must be set: return records it does not match',
      example: 'city',
    }),
  };
}

/** Rejects a name in `not` without its filter. */
export function checkNot({ value, issues }: z.core.ParsePayload<object>): void {
  if (issues.length > 0) return;
  const { not = [], ...given } = { ...value } as { not?: readonly string[] };
  const filters = new Map<string, unknown>(Object.entries(given));
  const missing = not.find((name) => filters.get(name) === undefined);
  if (missing === undefined) return;
  const message = `requires the filter ${missing}`;
  issues.push({ code: 'custom', params: { code: 'not_allowed' }, message, path: ['not'], input: missing });
}

/** The sorts of every list, besides its sort by name. `-` means descending, and the ID breaks ties. */
export const recordSorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const;

export function listQueryOf<Fields extends object>(fields: Fields) {
  return {
    ...pageQuery,
    includeTotal: booleanParameter()
      .meta({
        description: 'Set to `true` to also return the number of matching records. Defaults to `false`.',
        example: true,
      })
      .optional(),
    highlight: booleanParameter()
      .meta({
        description:
          'Set to `true` to return the matching parts of each record in `highlights`. Defaults to `false`.',
        example: true,
      })
      .optional(),
    ...filterQueryOf(fields),
  };
}

export const SORT_DEFAULT = '-createdAt';
export const sortDocs = {
  description: 'Sort order; `-` for descending. Ties are sorted by ID.',
  example: '-updatedAt',
};

const relevanceDocs = `\`${RELEVANCE}\` requires \`q\` and returns at most ${RANKED_MAX} records.`;

export const searchSortDocs = { ...sortDocs, description: `${sortDocs.description} ${relevanceDocs}` };

export const peopleSortDocs = {
  ...sortDocs,
  description: `Sort order; \`-\` for descending. Ties sort by the other name. ${relevanceDocs}`,
};

const besideItems = {
  nextCursor: z.string().optional().meta({ description: 'Cursor of the next page; absent on the last page' }),
  prevCursor: z
    .string()
    .optional()
    .meta({ description: 'Cursor of the previous page; absent on the first page' }),
  total: count('Number of matching records, with `includeTotal`', 1207).optional(),
};

export function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .strictObject({
      items: z.array(item).meta({ description: 'Records of this page', maxItems: LIMIT_MAX }),
      ...besideItems,
    })
    .meta({ id, description: 'A page of a list' });
}

export function searchPageOf<Item extends z.ZodType>(item: Item, id: string) {
  return pageOf(item, id)
    .extend({
      isSimilar: z.boolean().optional().meta({
        description:
          'Whether the records only match similar spellings, because none matches the words of `q`',
        example: true,
      }),
      highlights: z
        .array(z.array(Highlight).meta({ maxItems: HIGHLIGHTS_MAX }))
        .optional()
        .meta({
          description: 'With `highlight`: the matching parts of each item, in the order of the items',
          maxItems: LIMIT_MAX,
        }),
    })
    .meta({ id, description: 'A page of a list' });
}

import { trimmedText } from '@roster/fields/text';
import { z } from 'zod';
import { choice, isStorable, notBlank } from '../fields/field.ts';
import { dayFilter, timeFilter } from '../fields/relative-time.ts';
import { count, RecordId, Status } from '../fields/schemas.ts';
import { countryCode, regionCode } from '../sameness/codes.ts';
import { HIGHLIGHTS_MAX, Highlight } from '../search/highlights.ts';
import { RANKED_MAX, RELEVANCE } from '../search/relevance.ts';
import { countWords, SEARCH_WORDS_MAX } from '../search/search.ts';

/** A boolean in a URL: exactly `true` or `false`. */
export function booleanParameter() {
  return z.preprocess(
    (value: boolean | undefined) => ({ true: true, false: false })[String(value)] ?? value,
    z.boolean(),
  );
}

/**
 * A whole number in a URL: digits, with a minus sign at most. The schema, which has a maximum, rejects one beyond those JavaScript
 * counts exactly as it rejects the greatest of these.
 */
export function integerParameter<Schema extends z.ZodType<number>>(schema: Schema) {
  return z.preprocess((value: number | undefined) => {
    const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
    return number !== undefined && number > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : number;
  }, schema);
}

/** A parameter that may be given several times: any of the values will do. */
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
    .meta({ description: `${docs.description}; repeated: any of them` })
    .optional();
}

/**
 * One value of a filter: text in the form in which it is stored, without NUL.
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
      'Where to go on: `nextCursor` or `prevCursor` of a page, with the same filters, `sort` and `startAt`',
    pattern: '^[\\w-]+$',
  })
  .optional();

/**
 * Which page of a list. The infinite queries of tRPC's hooks send null as the cursor of the first page, and a direction
 * with every page. A cursor knows the direction itself: a page that was reached backward is read again with `forward`.
 * REST takes no `direction` (see `rpcOnly`).
 */
export const pageQuery = {
  limit: limitParameter,
  cursor: cursorParameter,
  direction: z
    .enum(['forward', 'backward'])
    .meta({
      description: 'Sent by the infinite queries of tRPC; `backward` requires a `prevCursor` as the cursor',
      example: 'forward',
    })
    .optional(),
  startAt: value(255)
    .meta({
      description:
        'Begin at the first record whose value of the sort is this one or comes after it in the order of the list: a ' +
        'time, or the beginning of a name; with a cursor, which page it is follows from the cursor',
      example: '2026-01-31T08:00:00Z',
    })
    .optional(),
};

/** The filters that lists have of records with a field. */
export const fieldFilterQuery = {
  email: repeated(value(254), { description: 'The e-mail, ignoring case', example: 'ana@atlantico.example' }),
  mlsId: repeated(value(50), { description: 'The MLS id', example: 'LX0042' }),
  city: repeated(value(100), { description: 'The city of the address, ignoring case', example: 'Lisboa' }),
  region: repeated(value(3, regionCode), {
    description: 'The region of the address, ignoring case',
    example: '11',
  }),
  country: repeated(value(2, countryCode), {
    description: 'The country of the address, ignoring case',
    example: 'PT',
  }),
};

/** The field that each of them is about. */
const fieldOfFilter = {
  email: 'email',
  mlsId: 'mlsId',
  city: 'address',
  region: 'address',
  country: 'address',
} as const satisfies Record<keyof typeof fieldFilterQuery, string>;

/** Those of them that records with these fields have. */
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

/** The filters that every list of records has, and those of the fields of its records. */
export function filterQueryOf<Fields extends object>(fields: Fields) {
  return {
    q: value(200)
      .refine((text) => countWords(text) <= SEARCH_WORDS_MAX, {
        message: `must hold at most ${SEARCH_WORDS_MAX} different words`,
        params: { code: 'too_many' },
      })
      .meta({
        description:
          'Every word of it occurs in a name, the e-mail, the MLS id or the city, ignoring case, accents and punctuation; if no record ' +
          `has them, words with a typo or two. At most ${SEARCH_WORDS_MAX} words, not counting those that are repeated or ` +
          'contained in another. A telephone number of seven digits or more also finds the records with it, in whatever form either is',
        example: 'figueir lisboa',
      })
      .optional(),
    status: repeated(choice(Status, Status.options), {
      description: 'Without it both states are listed',
      example: 'active',
    }),
    ids: repeated(RecordId, { description: 'Just these records', countMax: 200 }),
    ...fieldFiltersOf(fields),
    sourceName: repeated(value(255), { description: 'The system it came from', example: 'MLS Lisboa' }),
    sourceKey: repeated(value(255), { description: "The record's key in that system", example: 'OFF-0042' }),
    createdSince: timeFilter('Created at this time or later'),
    createdBefore: timeFilter('Created before this time'),
    updatedSince: timeFilter('Last changed at this time or later'),
    updatedBefore: timeFilter('Last changed before this time'),
    deactivatedSince: timeFilter('Deactivated at this time or later'),
  };
}

/** The filters of lists of records that have licences. */
export const licenseFilterQuery = {
  licenseNumber: repeated(value(50), {
    description: 'The number of a licence, ignoring case, spaces and punctuation',
    example: 'AMI-12345',
  }),
  licenseExpiresSince: dayFilter(
    'No licence of it expires before this day: nextLicenseExpiresOn is it or later',
  ),
  licenseExpiresBefore: dayFilter(
    'A licence of it expires before this day, or has expired: nextLicenseExpiresOn is earlier',
  ),
};

/** The sorts every list has beside that by name; `-` means descending, and the id breaks ties. */
export const recordSorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const;

/** The sorts of lists of records that have licences; those without a licence that expires come last in both directions. */
export const licenseSorts = ['nextLicenseExpiresOn', '-nextLicenseExpiresOn'] as const;

/** The parameters that every list takes of records with these fields, beside its sort and the filters of its own. */
export function listQueryOf<Fields extends object>(fields: Fields) {
  return {
    ...pageQuery,
    includeTotal: booleanParameter()
      .meta({ description: 'Count all records that match, in the same snapshot as the page', example: true })
      .optional(),
    highlight: booleanParameter()
      .meta({ description: 'Say in `highlights` where in each record q was found', example: true })
      .optional(),
    ...filterQueryOf(fields),
  };
}

export const SORT_DEFAULT = '-createdAt';
export const sortDocs = {
  description: 'The order, `-` for descending; the id breaks ties',
  example: '-updatedAt',
};

const relevanceDocs = `\`${RELEVANCE}\` requires q: the best match first, of ${RANKED_MAX} at most`;

/** The sort of a list that can be searched, as `sortDocs`. */
export const searchSortDocs = { ...sortDocs, description: `${sortDocs.description}. ${relevanceDocs}` };

/** The sort of a list of people that can be searched. */
export const peopleSortDocs = {
  ...sortDocs,
  description:
    'The order, `-` for descending. Agents with the same last name are in the order of their first names, and the other way ' +
    `round; the id breaks ties. ${relevanceDocs}`,
};

/** The fields of a page beside its records, which all pages share. */
const besideItems = {
  nextCursor: z.string().optional().meta({ description: 'The way to the next page; absent on the last' }),
  prevCursor: z.string().optional().meta({ description: 'The way to the page before; absent on the first' }),
  total: count('With includeTotal: how many records match', 1207).optional(),
};

/** The schema of one page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .strictObject({
      items: z.array(item).meta({ description: 'The records of this page', maxItems: LIMIT_MAX }),
      ...besideItems,
    })
    .meta({ id, description: 'One page of a list' });
}

/** The schema of one page of a list that can be searched. */
export function searchPageOf<Item extends z.ZodType>(item: Item, id: string) {
  return pageOf(item, id)
    .extend({
      isSimilar: z.boolean().optional().meta({
        description: 'True if no record has the words of q, and these have similar ones',
        example: true,
      }),
      highlights: z
        .array(z.array(Highlight).meta({ maxItems: HIGHLIGHTS_MAX }))
        .optional()
        .meta({
          description: 'With highlight: where q was found, for each item in their order',
          maxItems: LIMIT_MAX,
        }),
    })
    .meta({ id, description: 'One page of a list' });
}

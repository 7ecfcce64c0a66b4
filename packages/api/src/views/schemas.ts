import { z } from 'zod';
import { resourceNames } from '../directory.ts';
import { Actor } from '../engine/actor.ts';
import { notBlank, requiredText } from '../engine/fields/field.ts';
import { answeredTime, assignedId, versioned, versionNumber } from '../engine/fields/schemas.ts';
import {
  booleanParameter,
  pageOf,
  pageQuery,
  repeated,
  SORT_DEFAULT,
  sortDocs,
} from '../engine/list/parameters.ts';

/** A view may have so many columns. */
const VIEW_COLUMNS_MAX = 60;
const PARAMETERS_MAX = 50;
const WIDTH_MAX = 4_000;

const name = requiredText(
  { lengthMax: 200 },
  { description: 'The name, which need not be unique', example: 'Active in Lisbon' },
);

export const ViewResource = z.enum(resourceNames).meta({
  id: 'ViewResource',
  description: 'The list that it is a view of',
  example: 'agents',
});

const isShared = z.boolean().meta({
  description:
    'Whether everyone who may read the resource sees it; a private one only its owner does. Only the owner can change this',
  example: true,
});

/** A parameter of a list as it is in a URL: a text, or several. `checkQuery` validates it, as the list does. */
const textDocs = { type: 'string', pattern: notBlank };
const parameterDocs = { ...textDocs, type: ['string', 'array'], items: textDocs, maxItems: 200 };
const parameterName = z.string().meta({ pattern: notBlank });
const parameter = z.custom<string | string[]>().meta(parameterDocs);
const parameterPatch = z
  .custom<string | string[] | null>()
  .meta({ ...parameterDocs, type: [...parameterDocs.type, 'null'] });
const queryDocs = {
  description:
    'The parameters of the list, without `limit`, `cursor`, `startAt` and what the response shows (`includeTotal`, `highlight`, ' +
    '`expand`); stored as given',
  example: { status: ['active'], sort: '-updatedAt' },
  maxProperties: PARAMETERS_MAX,
};
const query = z.record(parameterName, parameter);

const column = requiredText(
  { lengthMax: 100 },
  { description: 'The field that it shows, by its path', example: 'address.city' },
);
const columnFields = {
  width: z.int().min(1).max(WIDTH_MAX).optional().meta({ description: 'Its width in pixels', example: 180 }),
  isHidden: z.boolean().optional().meta({ description: 'Whether it is not shown', example: false }),
};
const columnsDocs = {
  description: 'The columns in their order; empty for those that the page shows without a view',
  example: [{ name: 'displayName', width: 240 }, { name: 'email' }],
};
const columns = z
  .array(
    z
      .strictObject({ name: column.input, ...columnFields })
      .meta({ id: 'NewViewColumn', description: 'A column to store in a view' }),
  )
  .max(VIEW_COLUMNS_MAX)
  .check(({ value, issues }) => {
    const names = value.map((one) => one.name);
    for (const [index, one] of names.entries()) {
      if (names.indexOf(one) === index) continue;
      const params = { code: 'duplicate' };
      const message = 'names a column that comes before';
      issues.push({ code: 'custom', params, message, path: [index, 'name'], input: one });
    }
  })
  .meta(columnsDocs);

export const View = z
  .strictObject({
    id: assignedId,
    name: name.output,
    resource: ViewResource,
    isShared,
    query: z.record(parameterName, parameter).meta(queryDocs),
    columns: z
      .array(
        z
          .strictObject({ name: column.output, ...columnFields })
          .meta({ id: 'ViewColumn', description: 'A column of a view' }),
      )
      .meta({ ...columnsDocs, maxItems: VIEW_COLUMNS_MAX }),
    createdBy: Actor.nullable().meta({
      description:
        'The owner: the key or the person that made it; null if the person is gone, or is not for the reader to see',
    }),
    version: versionNumber('From 1, one more with every change; the ETag is made of it'),
    createdAt: answeredTime('When it was created'),
    updatedAt: answeredTime('When anything in it last changed'),
  })
  .meta({ id: 'View', description: 'A saved view of a list' });
export type View = z.infer<typeof View>;

export const NewView = z
  .strictObject({
    name: name.input,
    resource: ViewResource,
    isShared: isShared.default(false),
    query: query.default({}).meta(queryDocs),
    columns: columns.default([]),
  })
  .meta({
    id: 'NewView',
    description: 'A view to save',
    example: { name: 'Active in Lisbon', resource: 'agents', query: { status: ['active'], q: 'lisboa' } },
  });
export type NewView = z.output<typeof NewView>;

export const ViewPatch = z
  .strictObject({
    ...versioned,
    name: name.input.optional(),
    isShared: isShared.optional(),
    query: z
      .record(parameterName, parameterPatch)
      .optional()
      .meta({ ...queryDocs, description: 'The parameters to set; null removes one' }),
    columns: columns.optional(),
  })
  .meta({
    id: 'ViewPatch',
    description: 'What to change: JSON Merge Patch (RFC 7396); columns are replaced as a whole',
    example: { query: { status: null, sort: '-updatedAt' } },
  });
export type ViewPatch = z.output<typeof ViewPatch>;

export const ViewQuery = z.strictObject({
  ...pageQuery,
  sort: z
    .enum(['name', '-name', 'createdAt', '-createdAt'])
    .default(SORT_DEFAULT)
    .meta({ ...sortDocs, example: 'name' }),
  resource: repeated(ViewResource, {
    description: 'Views of these lists; without it of all that the caller may read',
    example: 'agents',
  }),
  isShared: booleanParameter()
    .meta({ description: 'Only shared views, or only private ones', example: true })
    .optional(),
});

export const ViewPage = pageOf(View, 'ViewPage');

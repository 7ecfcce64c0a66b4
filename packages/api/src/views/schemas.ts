import { z } from 'zod';
import { resourceNames } from '../directory/registry.ts';
import { Actor } from '../engine/actor.ts';
import { notBlank, requiredText } from '../engine/fields/field.ts';
import { assignedId, returnedTime, versioned, versionNumber } from '../engine/fields/schemas.ts';
import {
  booleanParameter,
  pageOf,
  pageQuery,
  repeated,
  SORT_DEFAULT,
  sortDocs,
} from '../engine/list/parameters.ts';

const VIEW_COLUMNS_MAX = 60;
const PARAMETERS_MAX = 50;
const WIDTH_MAX = 4_000;

const name = requiredText(
  { lengthMax: 200 },
  { description: 'Name of the view, not necessarily unique', example: 'Active in Lisbon' },
);

export const ViewResource = z.enum(resourceNames).meta({
  id: 'ViewResource',
  description: 'List the view belongs to',
  example: 'agents',
});

const isShared = z.boolean().meta({
  description: 'Whether everyone who can read the resource sees the view. Only the owner can change this.',
  example: true,
});

/** A list parameter as in a URL: one or several texts. `checkQuery` validates it as the list does. */
const textDocs = { type: 'string', pattern: notBlank };
const parameterDocs = { ...textDocs, type: ['string', 'array'], items: textDocs, maxItems: 200 };
const parameterName = z.string().meta({ pattern: notBlank });
const parameter = z.custom<string | string[]>().meta(parameterDocs);
const parameterPatch = z
  .custom<string | string[] | null>()
  .meta({ ...parameterDocs, type: [...parameterDocs.type, 'null'] });
const queryDocs = {
  description:
    'Parameters of the list, without `limit`, `cursor`, `startAt`, `includeTotal`, `highlight` and `expand`. Stored ' +
    'as given.',
  example: { status: ['active'], sort: '-updatedAt' },
  maxProperties: PARAMETERS_MAX,
};
const query = z.record(parameterName, parameter);

const column = requiredText(
  { lengthMax: 100 },
  { description: 'Path of the field shown in the column', example: 'address.city' },
);
const columnFields = {
  width: z
    .int()
    .min(1)
    .max(WIDTH_MAX)
    .optional()
    .meta({ description: 'Width of the column in pixels', example: 180 }),
  isHidden: z.boolean().optional().meta({ description: 'Whether the column is hidden', example: false }),
};
const columnsDocs = {
  description: 'Columns in order; empty for the default columns',
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
      const message = 'is the field of an earlier column';
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
        'Key or person that owns the view; `null` if the person was deleted, or if you cannot see it',
    }),
    version: versionNumber(
      'Version of the view. Starts at 1 and increases by 1 with every change. The ETag is based on it.',
    ),
    createdAt: returnedTime('When the view was created'),
    updatedAt: returnedTime('When the view last changed'),
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
      .meta({ ...queryDocs, description: 'Parameters to change. Set a parameter to `null` to remove it.' }),
    columns: columns.optional(),
  })
  .meta({
    id: 'ViewPatch',
    description: 'Fields to change, as JSON Merge Patch (RFC 7396). Columns are replaced as a whole.',
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
    description: 'Filter by list. Defaults to all lists you can read.',
    example: 'agents',
  }),
  isShared: booleanParameter()
    .meta({
      description: 'Set to `true` for shared views only, or `false` for private views only',
      example: true,
    })
    .optional(),
});

export const ViewPage = pageOf(View, 'ViewPage');

import { type Kysely, sql } from 'kysely';

/**
 * Records are made by a function of each table, for the trigger that keeps them and for whoever meets a record of another
 * shape. It is one expression of PL/pgSQL, which costs less than the query it was, and makes a composite type whose
 * attributes have the names of the API. The JSON is what it was, to the byte, so the number of the shape stays, and no
 * row is written.
 *
 * The text of `search_text` needs no Unicode where all of it is ASCII, which has as many bytes as characters.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await run(db, `create type address_shape_1 as (${attributesOf(addressParts)})`);
  await run(db, `create type source_shape_1 as (${attributesOf(sourceParts)})`);
  for (const table of ['office', 'agent'] as const) {
    await keepRecords(db, { table, shape: 1, fields: firstShape[table] });
  }
}

/** A field of a record: its name in the API, its type in SQL, and the expression of a row named `shown` that makes it. */
export interface ShownField {
  name: string;
  type: string;
  by: string;
}

/** What is shown of a table's rows under one number. */
export interface ShownShape {
  table: 'office' | 'agent';
  shape: number;
  /** In the order in which they are shown. */
  fields: ShownField[];
}

async function run(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}

/**
 * Makes the type `office_shape_1` and the function `office_record_1`, or those of another table and number, and lets rows
 * that are written from now on keep their records in this shape. Servers of the release before go on with theirs.
 */
export async function keepRecords(db: Kysely<unknown>, { table, shape, fields }: ShownShape): Promise<void> {
  const type = `${table}_shape_${shape}`;
  await run(db, `create type ${type} as (${attributesOf(fields)})`);
  // In PL/pgSQL, because a function in SQL would become part of every statement that may need it, field by field.
  await run(
    db,
    `create function ${table}_record_${shape}(shown ${table}) returns json language plpgsql stable parallel safe as $$
    begin
      return to_json(${rowOf(type, fields)});
    end $$`,
  );
  await run(db, keeping(table, shape));
}

const searched = {
  office: ['name', 'legal_name', 'email', 'mls_id', 'address_city'],
  agent: [
    'first_name',
    'middle_name',
    'last_name',
    'nickname',
    'display_name',
    'email',
    'mls_id',
    'address_city',
  ],
};

/** The function of the trigger that keeps records, and the text that is searched. */
function keeping(table: ShownShape['table'], shape: number): string {
  const parts = searched[table];
  const of = (row: string) => ['search_text', ...parts].map((column) => `${row}.${column}`).join(', ');
  return `
    create or replace function ${table}_keep() returns trigger language plpgsql as $$
    declare
      folded text;
    begin
      if (${of('new')}) is distinct from (${of('old')}) then
        folded := concat(${parts.map((column) => `new.${column}`).join(`, ' ', `)});
        if octet_length(folded) = char_length(folded) then
          new.search_text := upper(folded collate "C");
        else
          new.search_text := upper(normalize(folded, nfkc) collate "und-x-icu");
        end if;
      end if;
      new.record := ${table}_record_${shape}(new);
      new.record_shape := ${shape};
      return new;
    end $$`;
}

const attributesOf = (fields: ShownField[]) => fields.map(({ name, type }) => `"${name}" ${type}`).join(', ');
const rowOf = (type: string, fields: ShownField[]) =>
  `row(${fields.map(({ by }) => by).join(', ')})::${type}`;

/** Fields of one type that are columns, under their own names. */
export function columns(type: string, ...names: string[]): ShownField[] {
  return names.map((name) => ({ name, type, by: columnOf(name) }));
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const columnOf = (name: string) => `shown."${snakeCase(name)}"`;
const text = (...names: string[]) => columns('text', ...names);
const uuid = (...names: string[]) => columns('uuid', ...names);

function times(...names: string[]): ShownField[] {
  return names.map((name) => ({
    name,
    type: 'text',
    by: `to_char(${columnOf(name)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  }));
}

const addressParts = text('line1', 'line2', 'city', 'county', 'region', 'postalCode', 'country');
const sourceParts = text('name', 'key');

/** An object of columns with a prefix; null where all of them are. */
function object(name: string, type: string, parts: ShownField[]): ShownField {
  const fields = parts.map((part) => ({ ...part, by: `shown."${snakeCase(name)}_${snakeCase(part.name)}"` }));
  const given = `num_nonnulls(${fields.map(({ by }) => by).join(', ')}) > 0`;
  return { name, type, by: `case when ${given} then ${rowOf(type, fields)} end` };
}

const first = [
  ...uuid('id'),
  ...text('status', 'statusReason'),
  ...times('statusChangedAt', 'deactivatedAt', 'createdAt', 'updatedAt'),
  ...columns('int', 'version'),
];
const last = [object('source', 'source_shape_1', sourceParts), ...columns('jsonb', 'metadata')];

/** The fields of the shape 1. */
export const firstShape: Record<'office' | 'agent', ShownField[]> = {
  office: [
    ...first,
    ...text('name', 'legalName', 'branchType', 'type'),
    ...uuid('mainOfficeId', 'brokerAgentId', 'managerAgentId'),
    ...text('franchise', 'mlsId', 'nationalAssociationId'),
    ...columns('jsonb', 'licenses'),
    ...text('phone', 'phoneExt', 'fax', 'email', 'website'),
    object('address', 'address_shape_1', addressParts),
    object('mailingAddress', 'address_shape_1', addressParts),
    ...text('timeZone', 'bio'),
    ...last,
  ],
  agent: [
    ...first,
    ...text('firstName', 'lastName', 'middleName', 'nickname', 'namePrefix', 'nameSuffix'),
    {
      name: 'displayName',
      type: 'text',
      by: `coalesce(shown.display_name, shown.first_name || ' ' || shown.last_name)`,
    },
    ...text('title', 'type'),
    ...uuid('officeId'),
    ...times('transferredAt'),
    ...text(
      'email',
      'phone',
      'phoneExt',
      'mobilePhone',
      'directPhone',
      'fax',
      'mlsId',
      'nationalAssociationId',
    ),
    ...columns('jsonb', 'licenses'),
    object('address', 'address_shape_1', addressParts),
    ...columns('text[]', 'languages', 'designations'),
    ...uuid('assistantToAgentId'),
    ...text('website', 'photoUrl', 'bio'),
    ...last,
  ],
};

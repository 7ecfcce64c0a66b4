import { type RecordTable, recordVersions } from '@roster/db';
import { columnOf, columnsOf, hasParts, partColumn, type StoredColumns } from '../fields/columns.ts';
import type { ColumnType, Fields } from '../fields/field.ts';
import { capitalsSql, FIELD_END, unaccentedSql, unpunctuatedSql } from '../sameness/folding.ts';

/** The SQL of a record's JSON and of its full-text search, which follows from its fields. */

/** The fields of a table's records, in the order of their JSON. */
export interface RecordFields {
  table: RecordTable;
  fields: Fields;
  /** The SQL of fields that are not simply read from their column, for a row of that name. */
  expressions?: Record<string, (row: string) => string>;
}

/**
 * The fields of a table's records. Does not compile if the table's type lacks a column of a field, or has another type.
 */
export function recordFields<F extends Fields, _Row extends StoredColumns<F>>(
  table: RecordTable,
  fields: F,
  expressions: RecordFields['expressions'] = {},
): RecordFields {
  return { table, fields, expressions };
}

const quoted = (name: string) => `"${name}"`;

/** The type of the JSON of a field, or of the parts of an object. */
function typeName(table: RecordTable, version: number, field?: string): string {
  return [table, 'json', version, ...(field === undefined ? [] : [columnOf(field)])].join('_');
}

/** The arguments of `to_char` after a time that make it a text as in RFC 3339, in UTC, with milliseconds. */
export const TIME_FORMAT = `at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
const timeSql = (column: string) => `to_char(${column} ${TIME_FORMAT})`;

/** The type of a field in the composite type from which PostgreSQL builds the JSON. */
const jsonTypes: Record<ColumnType, string> = {
  text: 'text',
  'text[]': 'text[]',
  uuid: 'uuid',
  int: 'int',
  timestamptz: 'text',
  jsonb: 'jsonb',
  pairs: 'jsonb',
};

/**
 * The value of each field in JSON, by name.
 * @param row the name of the row that is read, for example `office`
 */
export function fieldExpressions(
  { table, fields, expressions = {} }: RecordFields,
  row: string,
  version = recordVersions[table] ?? 0,
): Record<string, string> {
  const sqlOf = (name: string): string => {
    const storage = fields[name]?.storage ?? 'text';
    const own = expressions[name]?.(row);
    if (own !== undefined) return own;
    if (hasParts(storage)) {
      const parts = storage.parts.map((part) => `${row}.${quoted(partColumn(name, part))}`).join(', ');
      return `case when num_nonnulls(${parts}) > 0 then row(${parts})::${typeName(table, version, name)} end`;
    }
    const column = `${row}.${quoted(columnOf(name))}`;
    return storage === 'timestamptz' ? timeSql(column) : column;
  };
  return Object.fromEntries(Object.keys(fields).map((name) => [name, sqlOf(name)]));
}

/** The columns that the full-text search finds, in the order of the fields. */
function searchedColumns(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const { storage, isSearched = false } = field;
    if (!isSearched) return [];
    if (!hasParts(storage)) return columnsOf(name, field);
    return (storage.searchedParts ?? []).map((part) => partColumn(name, part));
  });
}

/** The fields of a table, the one that shows the name of a record, and those that are the name unless it has a value. */
type NamedFields = RecordFields & { nameField: string; imports: { nameFields: readonly string[] } };

/**
 * The parts of the text that is searched: the name as it is shown, what it would be by default, and then each other field, with
 * `FIELD_END` around each.
 */
function searchedParts(source: NamedFields): string[] {
  const { fields, nameField, imports } = source;
  const shown = fieldExpressions(source, 'new')[nameField] ?? nameField;
  const [own, ...names] = [nameField, ...imports.nameFields.filter((name) => name !== nameField)].map(
    (name) => columnOf(name),
  );
  const byDefault = `case when new.${own} is not null then concat_ws(' ', ${names.map((name) => `new.${name}`).join(', ')}) end`;
  const others = searchedColumns(fields).filter((column) => column !== own && !names.includes(column));
  const parts = [
    shown,
    ...(names.length === 0 ? [] : [byDefault]),
    ...others.map((column) => `new.${column}`),
  ];
  const end = `' ${FIELD_END} '`;
  return [end, ...parts.flatMap((part) => [part, end])];
}

/**
 * The statements that create the type and the function that build the record's JSON in a schema version, and replace the
 * trigger's function, which materialises the JSON and the text that is searched whenever a row is written. They can run
 * again. The function takes a row of the table, and is PL/pgSQL because PostgreSQL would inline a function in SQL, field
 * by field, into every statement that may need it. A composite type whose attributes have the names of the API is the
 * cheapest way to build JSON.
 */
export function recordStatements(source: NamedFields, version: number): string[] {
  const { table, fields } = source;
  const type = typeName(table, version);
  const values = Object.values(fieldExpressions(source, 'shown', version));
  const objects = Object.entries(fields).flatMap(([name, { storage }]) =>
    hasParts(storage) ? [{ type: typeName(table, version, name), parts: storage.parts }] : [],
  );
  const attributes = Object.entries(fields).map(([name, { storage }]) => {
    const attribute = hasParts(storage) ? typeName(table, version, name) : jsonTypes[storage];
    return `${quoted(name)} ${attribute}`;
  });
  const columns = searchedColumns(fields);
  const searched = (row: string) =>
    ['search_text', ...columns].map((column) => `${row}.${column}`).join(', ');
  return [
    `drop type if exists ${[type, ...objects.map((object) => object.type)].join(', ')}`,
    ...objects.map(
      (object) =>
        `create type ${object.type} as (${object.parts.map((part) => `${quoted(part)} text`).join(', ')})`,
    ),
    `create type ${type} as (\n  ${attributes.join(',\n  ')}\n)`,
    `create or replace function ${table}_record_${version}(shown ${table}) returns json
language plpgsql stable parallel safe as $$
begin
  return to_json(row(
    ${values.join(',\n    ')}
  )::${type});
end $$`,
    // Text of ASCII alone, which has as many bytes as characters, needs no rules of Unicode. A space on both sides of each word
    // makes the index of trigrams find its beginning and its end.
    `create or replace function ${table}_keep() returns trigger language plpgsql as $$
declare
  searched text;
begin
  if old.record_shape is distinct from ${version}
    or (${searched('new')})
    is distinct from (${searched('old')}) then
    searched := concat(${searchedParts(source).join(', ')});
    if octet_length(searched) = char_length(searched) then
      new.search_text := ${unpunctuatedSql('upper(searched collate "C")')};
    else
      new.search_text := ${unaccentedSql(unpunctuatedSql(capitalsSql('searched')))};
    end if;
  end if;
  new.record := ${table}_record_${version}(new);
  new.record_shape := ${version};
  return new;
end $$`,
  ];
}

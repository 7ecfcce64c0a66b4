import { type RecordTable, recordVersions } from '@roster/db';
import { columnOf, columnsOf, hasParts, partColumn, type StoredColumns } from '../fields/columns.ts';
import type { ColumnType, Fields } from '../fields/field.ts';
import { FIELD_END, foldedSql, unpunctuatedSql } from '../sameness/folding.ts';

export interface RecordFields {
  table: RecordTable;
  fields: Fields;
  expressions?: Record<string, (row: string) => string>;
  /** Texts that the full-text search covers besides the searched fields, in this order after them. */
  searchedAlso?: readonly SearchedColumn[];
}

interface SearchedColumn {
  /** The columns that the text depends on. */
  columns: readonly string[];
  text: (row: string) => string;
}

/** Does not compile if the table's type lacks a field's column or has it with another type. */
export function recordFields<F extends Fields, _Row extends StoredColumns<F>>(
  table: RecordTable,
  fields: F,
  own: Pick<RecordFields, 'expressions' | 'searchedAlso'> = {},
): RecordFields {
  return { table, fields, ...own };
}

const quoted = (name: string) => `"${name}"`;

function typeName(table: RecordTable, version: number, field?: string): string {
  return [table, 'json', version, ...(field === undefined ? [] : [columnOf(field)])].join('_');
}

/** Completes `to_char(time …)` to RFC 3339 in UTC, with milliseconds. */
export const TIME_FORMAT = `at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
const timeSql = (column: string) => `to_char(${column} ${TIME_FORMAT})`;

const jsonTypes: Record<ColumnType, string> = {
  text: 'text',
  'text[]': 'text[]',
  uuid: 'uuid',
  int: 'int',
  timestamptz: 'text',
  jsonb: 'jsonb',
  pairs: 'jsonb',
};

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

function searchedColumns(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const { storage, isSearched = false } = field;
    if (!isSearched) return [];
    if (!hasParts(storage)) return columnsOf(name, field);
    return (storage.searchedParts ?? []).map((part) => partColumn(name, part));
  });
}

type NamedFields = RecordFields & { nameField: string; nameParts: readonly string[] };

/** The searched text: the display name, the default name, and each other field, surrounded by `FIELD_END`. */
function searchedParts(source: NamedFields): string[] {
  const { fields, nameField, nameParts, searchedAlso = [] } = source;
  const shown = fieldExpressions(source, 'new')[nameField] ?? nameField;
  const [own, ...names] = [nameField, ...nameParts.filter((name) => name !== nameField)].map((name) =>
    columnOf(name),
  );
  const byDefault = `case when new.${own} is not null then concat_ws(' ', ${names.map((name) => `new.${name}`).join(', ')}) end`;
  const others = searchedColumns(fields).filter((column) => column !== own && !names.includes(column));
  const parts = [
    shown,
    ...(names.length === 0 ? [] : [byDefault]),
    ...others.map((column) => `new.${column}`),
    ...searchedAlso.map(({ text }) => text('new')),
  ];
  const end = `' ${FIELD_END} '`;
  return [end, ...parts.flatMap((part) => [part, end])];
}

/**
 * The statements that create the type and the function for a record's JSON in a schema version, and replace
 * the trigger function that materialises the JSON and the searched text. They can run again. The function is
 * PL/pgSQL because PostgreSQL would inline SQL, field by field, into every statement that may need it. A
 * composite type with the attribute names of the API is the cheapest way to build JSON.
 */
export function recordStatements(source: NamedFields, version: number): string[] {
  const { table, fields, searchedAlso = [] } = source;
  const type = typeName(table, version);
  const values = Object.values(fieldExpressions(source, 'shown', version));
  const objects = Object.entries(fields).flatMap(([name, { storage }]) =>
    hasParts(storage) ? [{ type: typeName(table, version, name), parts: storage.parts }] : [],
  );
  const attributes = Object.entries(fields).map(([name, { storage }]) => {
    const attribute = hasParts(storage) ? typeName(table, version, name) : jsonTypes[storage];
    return `${quoted(name)} ${attribute}`;
  });
  const columns = [...searchedColumns(fields), ...searchedAlso.flatMap((also) => also.columns)];
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
    // ASCII text, which has as many bytes as characters, needs no Unicode rules. Spaces around each word let
    // the trigram index match its beginning and end.
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
      new.search_text := ${foldedSql('searched')};
    end if;
  end if;
  new.record := ${table}_record_${version}(new);
  new.record_shape := ${version};
  return new;
end $$`,
  ];
}

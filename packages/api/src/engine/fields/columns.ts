import type { z } from 'zod';
import type { ColumnType, Fields, PartColumns, ReadField } from './field.ts';

/** A cache. Its keys are the fields of schemas, so a few dozen. */
const columns = new Map<string, string>();

export function columnOf(field: string): string {
  let column = columns.get(field);
  if (column === undefined) {
    column = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    columns.set(field, column);
  }
  return column;
}

export function partColumn(field: string, part: string): string {
  return `${columnOf(field)}_${columnOf(part)}`;
}

export function hasParts(storage: ReadField['storage']): storage is PartColumns {
  return typeof storage === 'object';
}

export function columnsOf(name: string, { storage, isComputed = false }: ReadField): string[] {
  if (isComputed) return [];
  return hasParts(storage) ? storage.parts.map((part) => partColumn(name, part)) : [columnOf(name)];
}

export function valueAt(record: unknown, path: readonly string[]): unknown {
  let value = record;
  for (const key of path)
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return value ?? null;
}

export type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : Name;

type Stored<Json, Type> = Type extends 'timestamptz' ? Date | Extract<Json, null> : Json;

type PartNames<F extends Fields> = {
  [Name in keyof F & string]: F[Name]['storage'] extends PartColumns<infer Part>
    ? SnakeCase<`${Name}_${Part}`>
    : never;
}[keyof F & string];

export type StoredColumns<F extends Fields> = {
  [Name in keyof F & string as F[Name]['storage'] extends ColumnType ? SnakeCase<Name> : never]: Stored<
    z.output<F[Name]['output']>,
    F[Name]['storage']
  >;
} & { [Column in PartNames<F>]: string | null };

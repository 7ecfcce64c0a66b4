import type { z } from 'zod';
import type { Fields, WrittenField } from './field.ts';

type WrittenNames<F extends Fields> = { [K in keyof F]: F[K] extends WrittenField ? K : never }[keyof F];

/** The shape for creating: required fields are required, the others may be absent or null. */
export type CreateShape<F extends Fields> = {
  [K in WrittenNames<F>]: F[K] extends WrittenField
    ? F[K]['required'] extends true
      ? F[K]['input']
      : z.ZodOptional<F[K]['input']>
    : never;
};

/** The shape of a merge patch: everything may be absent. */
export type PatchShape<F extends Fields> = {
  [K in WrittenNames<F>]: F[K] extends WrittenField ? z.ZodOptional<F[K]['patch']> : never;
};

/** The shape that is read: everything is there. */
export type ReadShape<F extends Record<string, { output: z.ZodType }>> = { [K in keyof F]: F[K]['output'] };

/** The fields that callers can write, by name. */
export function writtenFields(fields: Fields): [string, WrittenField][] {
  return Object.entries(fields).filter((entry): entry is [string, WrittenField] => 'input' in entry[1]);
}

/** The schemas to create a record: required fields are required, the others may be absent. */
export function createShape<F extends Fields>(fields: F): CreateShape<F> {
  const shape = writtenFields(fields).map(([name, { required, input }]) => [
    name,
    required ? input : input.optional(),
  ]);
  return Object.fromEntries(shape) as CreateShape<F>;
}

/** The schemas of a merge patch: every field may be absent. */
export function patchShape<F extends Fields>(fields: F): PatchShape<F> {
  const shape = writtenFields(fields).map(([name, { patch }]) => [name, patch.optional()]);
  return Object.fromEntries(shape) as PatchShape<F>;
}

/** The schemas of what is read: every field is there. */
export function readShape<F extends Record<string, { output: z.ZodType }>>(fields: F): ReadShape<F> {
  const shape = Object.entries(fields).map(([name, { output }]) => [name, output]);
  return Object.fromEntries(shape) as ReadShape<F>;
}

import type { z } from 'zod';
import type { Fields, WrittenField } from './field.ts';

type WrittenNames<F extends Fields> = { [K in keyof F]: F[K] extends WrittenField ? K : never }[keyof F];

export type CreateShape<F extends Fields> = {
  [K in WrittenNames<F>]: F[K] extends WrittenField
    ? F[K]['required'] extends true
      ? F[K]['input']
      : z.ZodOptional<F[K]['input']>
    : never;
};

export type PatchShape<F extends Fields> = {
  [K in WrittenNames<F>]: F[K] extends WrittenField ? z.ZodOptional<F[K]['patch']> : never;
};

export type ReadShape<F extends Record<string, { output: z.ZodType }>> = { [K in keyof F]: F[K]['output'] };

export function writtenFields(fields: Fields): [string, WrittenField][] {
  return Object.entries(fields).filter((entry): entry is [string, WrittenField] => 'input' in entry[1]);
}

export function createShape<F extends Fields>(fields: F): CreateShape<F> {
  const shape = writtenFields(fields).map(([name, { required, input }]) => [
    name,
    required ? input : input.optional(),
  ]);
  return Object.fromEntries(shape) as CreateShape<F>;
}

export function patchShape<F extends Fields>(fields: F): PatchShape<F> {
  const shape = writtenFields(fields).map(([name, { patch }]) => [name, patch.optional()]);
  return Object.fromEntries(shape) as PatchShape<F>;
}

export function readShape<F extends Record<string, { output: z.ZodType }>>(fields: F): ReadShape<F> {
  const shape = Object.entries(fields).map(([name, { output }]) => [name, output]);
  return Object.fromEntries(shape) as ReadShape<F>;
}

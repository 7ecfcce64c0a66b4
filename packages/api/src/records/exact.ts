import type { z } from 'zod';
import { transform } from 'zod';

/**
 * What keeps REST and RPC from reading an input differently.
 *
 * In a URL everything is text. The REST adapter turns text into numbers and booleans by switching coercion on
 * in the very schemas RPC uses, after which RPC would take `"5"` for 5 and `"false"` for true. It does not look
 * inside a pipe: so a number or boolean in a body is wrapped by this function, and what travels in a URL is read by
 * the preprocesses of `parameters.ts`.
 */
export function exact<Schema extends z.ZodType>(schema: Schema) {
  return schema.pipe(transform((value: z.output<Schema>) => value));
}

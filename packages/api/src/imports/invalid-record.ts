import { z } from 'zod';
import { measureInput } from '../trpc/input-limits.ts';
import { waitForCapacity } from '../trpc/validation-queue.ts';

/** A record that breaks its schema, kept so that all that is wrong with the others is found too. */
export class InvalidRecord {
  readonly issues: readonly z.core.$ZodIssue[];
  readonly input: unknown;

  constructor(issues: readonly z.core.$ZodIssue[], input: unknown) {
    this.issues = issues;
    this.input = input;
  }
}

/**
 * Documented and typed as its schema; what breaks it is read as `InvalidRecord` instead of rejecting the whole body. A record that
 * holds more than any may is not looked at further; the others are validated a few at a time, so that hundreds of them
 * do not keep other requests waiting.
 */
export function deferErrors<Schema extends z.ZodType>(schema: Schema) {
  const bounded = z.preprocess(async (record: z.input<Schema>, { addIssue }) => {
    const { units, exceeded } = measureInput(record);
    await waitForCapacity(units);
    if (exceeded === undefined) return record;
    const { path, code, detail: message } = exceeded;
    addIssue({ code: 'custom', input: record, path, message, params: { code } });
    return z.NEVER;
  }, schema);
  // Asked without an input for the document, where nothing stands in for what is not given.
  return bounded.catch((given) => given && (new InvalidRecord(given.error.issues, given.input) as never));
}

import type { z } from 'zod';

/** A record that breaks its schema, kept so that all that is wrong with the others is found too. */
export class Unread {
  readonly issues: readonly z.core.$ZodIssue[];
  readonly input: unknown;

  constructor(issues: readonly z.core.$ZodIssue[], input: unknown) {
    this.issues = issues;
    this.input = input;
  }
}

/** Documented and typed as its schema; what breaks it is read as `Unread` instead of refusing the whole body. */
export function readable<Schema extends z.ZodType>(schema: Schema) {
  // Asked without an input for the document, where nothing stands in for what is not given.
  return schema.catch((given) => given && (new Unread(given.error.issues, given.input) as never));
}

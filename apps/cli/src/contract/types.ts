/**
 * How an option's value is read:
 * - `text` as it is typed, `number` as a number where it is one, `switch` takes no value;
 * - `list` and `records` are repeated, once for each item; an item of `records` has parts (`number=A1,region=11`);
 * - `map` is repeated, once for each `key=value`; `object` is one JSON object.
 */
export type Kind = 'text' | 'number' | 'switch' | 'list' | 'records' | 'map' | 'object';

/** One field of a procedure's input, and the option that sets it. */
export interface Field {
  /** Where it is in the input: `['address', 'city']`. */
  path: string[];
  /** The option, without its hyphens: `address-city`. */
  flag: string;
  kind: Kind;
  /** What stands for the value in the help. */
  placeholder: string;
  description: string;
  /** A value it could have, as it is typed. */
  example?: string;
  /** All the values it, or an item of it, can have. */
  choices?: string[];
  isRequired?: true;
  isNullable?: true;
  /** The parts of an item of `records`. */
  parts?: string[];
  /** Whether a value of a `map` may be null, which removes the pair. */
  areValuesNullable?: true;
  /** Whether it says under which condition the call is made, and nothing of what the record becomes. */
  isCondition?: true;
}

/** One procedure, as the command line offers it. */
export interface VerbContract {
  summary: string;
  description: string;
  fields: Field[];
  /** The fields of what it answers, for `--json`; none where it answers nothing. */
  answers: string[];
  /** Whether it only reads. */
  isQuery?: true;
  /** Whether it takes an idempotency key, which makes repeating it safe. */
  isRepeatable?: true;
}

/** What the service takes and answers, noun by noun and verb by verb. */
export type Contract = Record<string, Record<string, VerbContract>>;

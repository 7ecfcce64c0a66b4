import type { Field as ContractField } from '@roster/fields';

/**
 * The way in which the value of an option is parsed:
 * - `text` is passed unchanged, `number` as a number if it is one, `switch` takes no value;
 * - `list` and `records` are repeated for each item; an item of `records` has parts (`number=A1,region=11`);
 * - `map` is repeated for each `key=value`; `object` is one JSON object.
 */
export type Kind = 'text' | 'number' | 'switch' | 'list' | 'records' | 'map' | 'object';

/** One field of a procedure's input, and the option that sets it. */
export interface Field {
  /** The path in the input: `['address', 'city']`. */
  path: string[];
  /** The option, without its hyphens: `address-city`. */
  flag: string;
  kind: Kind;
  /** The placeholder of the value in the help. */
  placeholder: string;
  description: string;
  /** An example value, as it is typed. */
  example?: string;
  /** The allowed values of the field, or of an item of a list. */
  choices?: string[];
  isRequired?: true;
  isNullable?: true;
  /** The resource of the directory whose id, or ids, it takes. */
  refersTo?: string;
  /** The parts of an item of `records`. */
  parts?: readonly ContractField[];
  /** Whether a value of a `map` may be null, which removes the pair. */
  areValuesNullable?: true;
  /** Whether it is a precondition of the call, such as `ifVersion`, and not a field of the record. */
  isCondition?: true;
}

/** An operation, as the command line offers it. */
export interface OperationContract {
  summary: string;
  description: string;
  fields: Field[];
  /** Whether it is on one record, whose id is the first argument. */
  hasId?: boolean;
  /** The fields that are arguments behind the id of the record. */
  pathFields?: Field[];
  /** The fields of its response, for `--json`; empty if it has no response body. */
  answers: string[];
  /** The parts of one of those fields; undefined if they are not known, or any key may be one. */
  partsOf?: (field: string) => readonly string[] | undefined;
  /** Whether it only reads. */
  isQuery?: true;
  /** Whether it accepts an idempotency key, so that it can be retried. */
  isRepeatable?: true;
}

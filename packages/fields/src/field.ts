/**
 * The kind of a value, which says how it is typed, shown and checked:
 * - `phone` is a phone number, in E.164 once it is stored; `country` an ISO 3166-1 alpha-2 code;
 * - `long-text` is a text of more than a line, `reference` the id of a record, `switch` true or false;
 * - `list` has items of one kind, `records` has objects with parts, `map` has pairs, `object` has parts.
 */
export type Kind =
  | 'text'
  | 'long-text'
  | 'email'
  | 'phone'
  | 'country'
  | 'url'
  | 'choice'
  | 'number'
  | 'switch'
  | 'date'
  | 'time'
  | 'reference'
  | 'list'
  | 'records'
  | 'map'
  | 'object';

/** A value: its kind and its limits. */
export interface Value {
  kind: Kind;
  isNullable?: true;
  /** Whether a duration of ISO 8601, such as P60D or -P30D, stands for the day or the time that far from now. */
  isRelative?: true;
  /** Whether a single item stands for a list of it. */
  acceptsOne?: true;
  /** The allowed values. */
  choices?: string[];
  /** The only allowed value, if it is not a text. */
  constant?: boolean | number;
  /** The value if none is given. */
  default?: unknown;
  /** In characters. */
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  /** Whether a number may have a fraction. */
  isFraction?: true;
  /** Of a list, records or a map. */
  minItems?: number;
  maxItems?: number;
  /** The regular expression that a text matches, if its kind does not say it. */
  pattern?: string;
  /** The items of a list, or the values of a map. */
  item?: Value;
  /** The fields of an object, or of each of the records. */
  parts?: Field[];
  /** The fields of an object of one of several shapes, which differ in the choice of one field. */
  variants?: Field[][];
}

/** A named value of an input or a record. */
export interface Field extends Value {
  name: string;
  /** In English, as the OpenAPI document has it. */
  description: string;
  example?: unknown;
  isRequired?: true;
  /** Whether only the service sets it. */
  isReadOnly?: true;
  /** Whether every record has a value of it, although null may be written. */
  isAlwaysSet?: true;
  /** The resource of the directory whose records it has the id, or the ids, of. */
  refersTo?: string;
}

/** The parts of a value, without descriptions. */
interface BareParts {
  item?: BareValue;
  parts?: BareField[];
  variants?: BareField[][];
}

/** A field without its description. */
export interface BareField extends Omit<Field, 'description' | keyof BareParts>, BareParts {}

/** A value without the descriptions of its parts. */
export interface BareValue extends Omit<Value, keyof BareParts>, BareParts {}

/** An operation of the service. */
export interface Operation {
  summary: string;
  description: string;
  /** The fields of its input in REST: of the body, or of the query. */
  fields: Field[];
  /** The parameters of its path. */
  pathParameters: Field[];
  /** The preconditions, which are headers in REST and fields of the input in RPC. */
  conditions: Field[];
  /** The fields of its response, or of the items of the page that it returns; of all variants. */
  answers: string[];
  /** Whether it only reads. */
  isQuery?: true;
  /** Whether it accepts an idempotency key, so that it can be retried. */
  isRepeatable?: true;
}

/** The records of a resource of the directory. */
export interface RecordContract {
  /** `office`: one of them in a text, and the first part of the types of their events. */
  singular: string;
  /** The field with the name by which people know a record; the value of `sort` that orders by it. */
  nameField: string;
  nameSort: string;
  /** The paths of the fields that tell a record from others, the most important first. */
  listFields: string[];
  /** The paths of the counts that its list can embed. */
  countFields: string[];
  /** The field with the id of the record that a record belongs to, if its records belong to others. */
  parentField?: string;
  /** The fields of an import that name the parent otherwise than by its id: by its source and, if there is one, by its name. */
  parentNames?: { source: string; name?: string };
  /**
   * The list whose items may be rows of a file by themselves: its field, and those that name the record of an item of an import
   * otherwise than by the id, by its source and its e-mail address.
   */
  itemRows?: { field: string; names: { source?: string; email?: string } };
  /** The fields that no two records have the same value in. */
  uniqueBy: string[];
  /** All fields: those that a new record may have, then those that only the service sets. */
  fields: Field[];
  /** The filters of its list. A `list` matches if any of its items does. */
  filters: Field[];
  /** The values of `sort`, and of `expand`: what its list can embed in each record. */
  sorts: string[];
  expansions: string[];
}

/** The records of a resource without the descriptions of their fields and filters. */
export interface BareRecordContract extends Omit<RecordContract, 'fields' | 'filters'> {
  fields: BareField[];
  filters: BareField[];
}

/**
 * Finds the field at a path of a record, such as `address.city`, `licenses[0].number` or `metadata`: the part of an object, or of the
 * items of a list of objects.
 *
 * @returns undefined if there is none
 */
export function fieldAt(fields: readonly Field[], path: string): Field | undefined {
  const [name, ...parts] = path.replaceAll(/\[\d+\]/g, '').split('.');
  const field = fields.find((one) => one.name === name);
  return parts.length === 0 ? field : fieldAt(field?.parts ?? [], parts.join('.'));
}

/** The fields of the input of a procedure: the parameters of its path in REST, the fields, and the preconditions. */
export function inputFields({ pathParameters, fields, conditions }: Operation): Field[] {
  return [...pathParameters, ...fields, ...conditions];
}

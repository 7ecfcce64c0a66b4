/**
 * The kind of a value decides how to type, show and check it:
 * - `phone` is a phone number, stored in E.164; `country` an ISO 3166-1 alpha-2 code;
 * - `long-text` has several lines, `reference` is a record's ID, `switch` true or false;
 * - `list` has items of one kind, `records` objects with parts, `map` pairs, `object` parts.
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

export interface Value {
  kind: Kind;
  isNullable?: true;
  /** Accepts an ISO 8601 duration from now, such as P60D or -P30D. */
  isRelative?: true;
  /** A single item stands for a list. */
  acceptsOne?: true;
  choices?: string[];
  /** The only allowed value, if it is no text. */
  constant?: boolean | number;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  isFraction?: true;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  item?: Value;
  parts?: Field[];
  /** Of an object of several shapes, which differ in the choice of one field. */
  variants?: Field[][];
}

export interface Field extends Value {
  name: string;
  /** In English, as in the OpenAPI document. */
  description: string;
  example?: unknown;
  isRequired?: true;
  isReadOnly?: true;
  /** Never null in a record, although null can be written. */
  isAlwaysSet?: true;
  refersTo?: string;
}

interface BareParts {
  item?: BareValue;
  parts?: BareField[];
  variants?: BareField[][];
}

export interface BareField extends Omit<Field, 'description' | keyof BareParts>, BareParts {}

export interface BareValue extends Omit<Value, keyof BareParts>, BareParts {}

export interface Operation {
  summary: string;
  description: string;
  fields: Field[];
  pathParameters: Field[];
  /** Headers in REST, fields of the input in RPC. */
  conditions: Field[];
  /** Fields of the response, or of a page's items, in all variants. */
  returned: string[];
  isQuery?: true;
  /** Accepts an idempotency key, so that it can be retried. */
  isRepeatable?: true;
}

export interface RecordContract {
  /** `office`: in texts, and the prefix of event types. */
  singular: string;
  /** The display name, and the `sort` by it. */
  nameField: string;
  /** The fields that make the display name, if it is made of others. At least one of them is set. */
  nameParts?: string[];
  nameSort: string;
  /** Paths of fields that distinguish records, the most important first. */
  listFields: string[];
  /** The columns of a list that nobody has chosen, and of a file for people. */
  usualColumns: string[];
  countFields: string[];
  /** The ID of the record it belongs to, if it belongs to one. */
  parentField?: string;
  /** Fields of an import that identify the parent by source or name. */
  parentNames?: { source: string; name?: string };
  /** The list whose items can be rows of a file, and the fields that identify their record. */
  itemRows?: { field: string; names: { source?: string; email?: string } };
  uniqueBy: string[];
  /** Writable fields, then those set by the service. */
  fields: Field[];
  /** A `list` matches if any of its items does. */
  filters: Field[];
  sorts: string[];
  expansions: string[];
}

export interface BareRecordContract extends Omit<RecordContract, 'fields' | 'filters'> {
  fields: BareField[];
  filters: BareField[];
}

/** The fields that a new record needs: the required ones, and those of which one is enough to name it. */
export function neededFields<One extends Pick<Field, 'name' | 'isRequired'>>({
  fields,
  nameParts = [],
}: {
  fields: readonly One[];
  nameParts?: readonly string[];
}): One[] {
  return fields.filter(({ name, isRequired }) => isRequired || nameParts.includes(name));
}

/** Such as `address.city`, `licenses[0].number` or `metadata`; undefined if there is none. */
export function fieldAt(fields: readonly Field[], path: string): Field | undefined {
  const [name, ...parts] = path.replaceAll(/\[\d+\]/g, '').split('.');
  const field = fields.find((one) => one.name === name);
  return parts.length === 0 ? field : fieldAt(field?.parts ?? [], parts.join('.'));
}

export function inputFields({ pathParameters, fields, conditions }: Operation): Field[] {
  return [...pathParameters, ...fields, ...conditions];
}

import type { Field as ContractField, Kind as ContractKind, Value } from '@roster/fields';

/** A name of the API in the command line: `officeId` is `office-id`. */
export const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The name that a word of the command line has in the API: `transferAgents` of `transfer-agents`. */
export const camelCase = (word: string) =>
  word.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The option of a list takes one item, so that of `languages` is `--language`; `status` is not a plural. */
const singular = (name: string) => name.replace(/(?<![us])s$/, '');

/** The options of fields whose name is that of a global option, and shorter ones. */
const otherFlags: Record<string, string> = { url: 'target-url', 'to-version': 'to' };

const placeholders: Partial<Record<ContractKind, string>> = {
  number: 'number',
  date: 'date',
  time: 'time',
  reference: 'id',
  url: 'url',
  email: 'email',
  records: 'part=value,…',
  map: 'key=value',
  object: 'json',
};

const structured = new Set<string>(['list', 'records', 'map', 'object', 'number', 'switch']);

const parsed = (kind: ContractKind): Kind => (structured.has(kind) ? (kind as Kind) : 'text');

function placeholderOf({ kind, item }: Value): string {
  return placeholders[kind === 'list' && item !== undefined ? item.kind : kind] ?? 'text';
}

function exampleOf(kind: Kind, example: unknown): string | undefined {
  const one = kind === 'list' && Array.isArray(example) ? example[0] : example;
  const isTyped = kind === 'text' || kind === 'number' || kind === 'list';
  return isTyped && one != null ? String(one) : undefined;
}

/** The option of a field, followed by those of the parts of an object. */
export function optionsOf(path: readonly string[], contract: ContractField): Field[] {
  const { name, description, item, parts = [], isNullable } = contract;
  const kind = parsed(contract.kind);
  const own = [...path, name];
  const flag = otherFlags[own.map(kebab).join('-')] ?? own.map(kebab).join('-');
  const choices = contract.choices ?? (kind === 'list' ? item?.choices : undefined);
  const example = exampleOf(kind, contract.example);
  const isRecords = kind === 'records';
  const field: Field = {
    path: own,
    flag: kind === 'list' || isRecords ? singular(flag) : flag,
    kind,
    placeholder: placeholderOf(contract),
    description,
    ...(example !== undefined && { example }),
    ...(choices !== undefined && { choices }),
    // A required part of an optional object is not required by itself.
    ...(path.length === 0 && contract.isRequired && { isRequired: true }),
    ...(isNullable && { isNullable }),
    ...(contract.refersTo !== undefined && { refersTo: contract.refersTo }),
    ...(isRecords && { parts }),
    ...(kind === 'map' && item?.isNullable && { areValuesNullable: true }),
  };
  return kind === 'object' ? [field, ...parts.flatMap((part) => optionsOf(own, part))] : [field];
}

/**
 * The way in which the value of an option is parsed:
 * - `text` is passed unchanged, `number` as a number if it is one, `switch` takes no value;
 * - `list` and `records` are repeated for each item; an item of `records` has parts (`number=A1,region=11`);
 * - `map` is repeated for each `key=value`; `object` is one JSON object.
 */
type Kind = 'text' | 'number' | 'switch' | 'list' | 'records' | 'map' | 'object';

export interface Field {
  path: string[];
  /** The option, without its hyphens: `address-city`. */
  flag: string;
  kind: Kind;
  placeholder: string;
  description: string;
  example?: string;
  choices?: string[];
  isRequired?: true;
  isNullable?: true;
  /** The resource of the directory whose id, or ids, it takes. */
  refersTo?: string;
  parts?: readonly ContractField[];
  /** Whether a value of a `map` may be null, which removes the pair. */
  areValuesNullable?: true;
  /** Whether it is a precondition of the call, such as `ifVersion`, and not a field of the record. */
  isCondition?: true;
}

export interface OperationContract {
  summary: string;
  description: string;
  fields: Field[];
  /** Whether it is on one record, whose id is the first argument. */
  hasId?: boolean;
  /** The fields that are arguments behind the id of the record. */
  pathFields?: Field[];
  returned: string[];
  /** The parts of one of those fields; undefined if they are not known, or any key may be one. */
  partsOf?: (field: string) => readonly string[] | undefined;
  isQuery?: true;
  isRepeatable?: true;
}

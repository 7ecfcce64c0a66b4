import type { Operation } from '@roster/api';
import { operations } from '@roster/contract/operations';
import type { Field } from '@roster/fields';
import type { Input } from '../../../src/contract/options.ts';

/** An id that no record has. */
export const UNKNOWN = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

/** Texts that are none of a kind. */
const malformed: Partial<Record<Field['kind'], string>> = {
  reference: 'x',
  email: 'none',
  url: 'ftp://x',
  phone: 'none',
  country: 'XX',
  date: '2026-02-30',
  time: 'yesterday',
};

/** Values of another type than that of a field, as JSON. */
function ofOtherType({ kind, acceptsOne }: Field): unknown {
  if (kind === 'number') return 'many';
  if (kind === 'switch') return 'maybe';
  if (kind === 'list') return acceptsOne ? 7 : 'x';
  if (kind === 'map') return [];
  return kind === 'object' || kind === 'records' ? 'x' : 7;
}

/** Values beyond the limits of a field. */
function beyondLimits(field: Field): unknown {
  const { kind, minimum, maximum, maxLength, maxItems, item, parts = [] } = field;
  if (kind === 'number')
    return maximum !== undefined ? maximum + 1 : minimum !== undefined ? minimum - 1 : 1.5;
  if (kind === 'list')
    return maxItems === undefined ? undefined : Array(maxItems + 1).fill(item?.choices?.[0] ?? 'x');
  if (kind === 'records') return [ofParts(parts, beyondLimits)];
  if (kind === 'object') return field.variants === undefined ? ofParts(parts, beyondLimits) : undefined;
  if (kind === 'map') return { [`k${'x'.repeat(200)}`]: 'x' };
  return maxLength === undefined || field.choices !== undefined ? undefined : 'x'.repeat(maxLength + 1);
}

/** Texts that no choice is, or that have not the form of their kind. */
function ofNoForm(field: Field): unknown {
  const { kind, choices, item, parts = [] } = field;
  if (kind === 'list') {
    const one = item?.choices !== undefined ? 'nothing' : malformed[item?.kind ?? 'text'];
    return one === undefined ? undefined : [one];
  }
  if (kind === 'records') return [ofParts(parts, ofNoForm)];
  if (kind === 'object') return ofParts([...parts, ...(field.variants?.flat() ?? [])], ofNoForm);
  return choices !== undefined ? 'nothing' : malformed[kind];
}

/** An object with a fault in each of its fields, as far as there is one; undefined if there is none. */
function ofParts(fields: readonly Field[], faultOf: (field: Field) => unknown): Input | undefined {
  const faults = fields
    .map((field) => [field.name, faultOf(field)])
    .filter(([, value]) => value !== undefined);
  return faults.length === 0 ? undefined : Object.fromEntries(faults);
}

/** A parameter of a query is a text, so that none has another type than a text; the option of a list takes one of them. */
const isTyped = ({ kind }: Field) => kind === 'number' || kind === 'switch';

const isStructured: ReadonlySet<Field['kind']> = new Set(['list', 'records', 'object', 'map']);

/** Inputs that the schema of an operation rejects, by what is wrong with them; `valid` is one that it accepts. */
export async function faultyInputs(
  { procedure, hasBody, pathParameters, input }: Operation,
  valid: Input,
): Promise<[title: string, input: Input][]> {
  const { fields = [] } = operations[procedure] ?? {};
  const typed = hasBody ? fields : fields.filter(isTyped);
  // A URL takes 10,000 characters.
  const isShort = ({ kind, maxLength = 0 }: Field) =>
    hasBody || (!isStructured.has(kind) && maxLength <= 500);
  const nulls = fields.filter(({ isNullable, isRequired }) => hasBody && (isRequired || !isNullable));
  const required = fields.filter(({ isRequired }) => isRequired);
  const inPath = Object.fromEntries(pathParameters.map((name) => [name, valid[name]]));
  const faulty: [string, Input | undefined][] = [
    ['values of other types', ofParts(typed, ofOtherType)],
    ['nulls', ofParts(nulls, () => null)],
    ['values beyond limits', ofParts(fields.filter(isShort), beyondLimits)],
    ['texts of no form', ofParts(fields, ofNoForm)],
  ];
  const inputs: [string, Input][] = [
    ...faulty.flatMap(([title, faults]): [string, Input][] =>
      faults === undefined ? [] : [[title, { ...valid, ...faults }]],
    ),
    ['an unknown field', { ...valid, nothing: 'x' }],
  ];
  if (required.length > 0) inputs.push(['nothing of what is required', inPath]);
  if (pathParameters.includes('id')) inputs.push(['an invalid id', { ...valid, id: '東 京/?#' }]);
  // A limit of one part may be that of another rule, which is checked later.
  const isRejected = await Promise.all(
    inputs.map(async ([, given]) => !(await input.safeParseAsync(given)).success),
  );
  return inputs.filter((_, index) => isRejected[index]);
}

/** The example of an input with one field more, for each field that has an example or choices. */
export function* withEachField(
  { procedure }: Operation,
  valid: Input,
): Generator<[name: string, input: Input]> {
  const { fields = [], conditions = [] } = operations[procedure] ?? {};
  for (const { name, kind, example, choices = [], item, default: usual } of [...fields, ...conditions]) {
    if (name in valid || name === 'cursor' || name === 'lastEventId') continue;
    const [choice] = choices.length > 0 ? choices : (item?.choices ?? []);
    const given = Array.isArray(example) && example.length === 0 ? undefined : example;
    const value = given ?? (kind === 'list' && choice !== undefined ? [choice] : choice) ?? usual;
    if (kind === 'switch') yield [name, { ...valid, [name]: true }];
    else if (value !== undefined && value !== null)
      yield [name, { ...valid, [name]: kind === 'list' ? [value].flat() : value }];
  }
}

import type { FieldContract } from '../../contract/types.ts';
import { type FormValue, fromForm, type Parts, type Row } from './form-values.ts';

/** A problem of a field, or of a part of one. */
export interface FieldProblem {
  /** The path in the body, its names joined by slashes: `phone`, `licenses/0/number`, `metadata/cost centre`. */
  path: string;
  /** In the words of the service, which follow the name of the field. */
  text: string;
}

/** A problem that a form finds by itself; the service finds the others. */
export type Check =
  | { path: string; code: 'required' }
  | { path: string; code: 'too_long' | 'too_many'; max: number };

/** The names in a JSON Pointer as a URI fragment (RFC 6901), joined by slashes. */
export function pathOfPointer(pointer: string): string {
  const names = pointer.replace(/^#?\/?/, '').split('/');
  return names
    .map((name) => {
      try {
        return decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
      } catch {
        return name;
      }
    })
    .join('/');
}

/** The errors of the service by whether a form shows the field that they are about. */
export function placeErrors(
  errors: readonly { pointer?: string | undefined; parameter?: string | undefined; detail: string }[],
  fields: readonly string[],
): { atFields: FieldProblem[]; elsewhere: FieldProblem[] } {
  const problems = errors.map(({ pointer, parameter, detail }) => ({
    path: pointer === undefined ? (parameter ?? '') : pathOfPointer(pointer),
    text: detail,
  }));
  const isHere = ({ path }: FieldProblem) => fields.includes(path.split('/', 1)[0] ?? '');
  return { atFields: problems.filter(isHere), elsewhere: problems.filter((problem) => !isHere(problem)) };
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

function checkText(path: string, contract: FieldContract, value: unknown): Check[] {
  if (typeof value !== 'string') return [];
  if (contract.isRequired && isBlank(value)) return [{ path, code: 'required' }];
  const { maxLength } = contract;
  const length = value.trim().length;
  return maxLength !== undefined && length > maxLength ? [{ path, code: 'too_long', max: maxLength }] : [];
}

const checkParts = (path: string, { parts = [] }: FieldContract, values: Parts): Check[] =>
  parts.flatMap((part) => checkText(`${path}/${part.name}`, part, values[part.name]));

/** Checks the value of one field of a form, as far as its contract says. */
export function checkField(contract: FieldContract, value: FormValue): Check[] {
  const { name, kind, maxItems } = contract;
  if (kind === 'object')
    return fromForm(contract, value) === null ? [] : checkParts(name, contract, value as Parts);
  if (kind === 'records' || kind === 'list' || kind === 'map') {
    const rows = value as readonly Row<unknown>[];
    const tooMany: Check[] =
      maxItems !== undefined && rows.length > maxItems
        ? [{ path: name, code: 'too_many', max: maxItems }]
        : [];
    if (kind !== 'records') return tooMany;
    const inRows = (rows as readonly Row<Parts>[]).flatMap((one, index) =>
      checkParts(`${name}/${index}`, contract, one.value),
    );
    return [...tooMany, ...inRows];
  }
  return checkText(name, contract, value);
}

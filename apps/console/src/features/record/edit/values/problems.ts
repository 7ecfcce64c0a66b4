import { checkFields } from '@roster/fields/check';
import { pathOfPointer } from '@roster/fields/json-pointer';
import type { FieldContract } from '../../../../api/contract/types.ts';
import { type FormValue, fromForm } from './form-values.ts';

export interface FieldProblem {
  /** The path in the body, its names joined by slashes: `phone`, `licenses/0/number`, `metadata/cost centre`. */
  path: string;
  /** In the words of the service, which follow the name of the field. */
  text: string;
}

/** A problem that a form finds by itself; the service finds the others. */
export type Check =
  | { path: string; code: 'required'; unless?: string }
  | { path: string; code: 'too_long' | 'too_many'; max: number };

export function placeErrors(
  errors: readonly { pointer?: string | undefined; parameter?: string | undefined; detail: string }[],
  fields: readonly string[],
): { atFields: FieldProblem[]; elsewhere: FieldProblem[] } {
  const problems = errors.map(({ pointer, parameter, detail }) => ({
    path: pointer === undefined ? (parameter ?? '') : pathOfPointer(pointer).join('/'),
    text: detail,
  }));
  const isHere = ({ path }: FieldProblem) => fields.includes(path.split('/', 1)[0] ?? '');
  return { atFields: problems.filter(isHere), elsewhere: problems.filter((problem) => !isHere(problem)) };
}

/** A value without its members that are null: the service takes those that are not there for the same. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutNulls(part)]));
}

/**
 * Checks that one of the fields that make a name is set, of which a form may show only some.
 *
 * @param shown the fields of the form
 */
export function checkName(
  nameParts: readonly string[],
  { shown, isBlank }: { shown: readonly string[]; isBlank: (name: string) => boolean },
): Check[] {
  const path = nameParts.find((name) => shown.includes(name));
  const unless = nameParts.find((name) => name !== path);
  if (path === undefined || unless === undefined || !nameParts.every(isBlank)) return [];
  return [{ path, code: 'required', unless }];
}

export function checkField(contract: FieldContract, value: FormValue): Check[] {
  const sent = { [contract.name]: withoutNulls(fromForm(contract, value)) };
  return checkFields([contract], sent).flatMap(({ path, code, max = 0 }): Check[] => {
    const at = path.join('/');
    if (code === 'required') return [{ path: at, code }];
    return code === 'too_long' || code === 'too_many' ? [{ path: at, code, max }] : [];
  });
}

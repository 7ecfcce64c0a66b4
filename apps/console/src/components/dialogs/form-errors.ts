import { type ErrorCode, RosterError } from '@roster/client';
import { pathOfPointer } from '@roster/contract/json-pointer';

/** The errors of a form, in the words of the service. */
export interface FormErrors {
  /** Returns the error of a field, by its JSON Pointer without `#/`: `name`, `grants/0/officeIds`; undefined if it has none. */
  at(pointer: string): string | undefined;
  /** Returns the error of a field or of anything inside it. */
  within(pointer: string): string | undefined;
  /** The error of the whole form, or of what no field shows. */
  rest: string | undefined;
}

/**
 * Sorts an error by the fields of a form.
 *
 * @param shown the fields of the form, as the beginnings of pointers; what no field shows is in `rest`
 * @param ofCodes the field that errors of a code belong to although they have no pointer
 */
export function formErrors(
  error: Error | null,
  shown: readonly string[],
  ofCodes: Partial<Record<ErrorCode, string>> = {},
): FormErrors {
  if (error === null) return { at: () => undefined, within: () => undefined, rest: undefined };
  const field = error instanceof RosterError ? ofCodes[error.code] : undefined;
  const named = error instanceof RosterError ? error.errors : [];
  const found: { pointer: string; detail: string }[] = [
    ...(field === undefined ? [] : [{ pointer: field, detail: error.message }]),
    ...named.map(({ pointer, detail }) => ({ pointer: pathOfPointer(pointer ?? '').join('/'), detail })),
  ];
  const isInside = (pointer: string, outer: string) => pointer === outer || pointer.startsWith(`${outer}/`);
  const join = (some: typeof found) =>
    some.length === 0 ? undefined : some.map(({ detail }) => detail).join(' ');
  const isShown =
    found.length > 0 && found.every(({ pointer }) => shown.some((one) => isInside(pointer, one)));
  return {
    at: (wanted) => join(found.filter(({ pointer }) => pointer === wanted)),
    within: (wanted) => join(found.filter(({ pointer }) => isInside(pointer, wanted))),
    rest: isShown ? undefined : error.message,
  };
}

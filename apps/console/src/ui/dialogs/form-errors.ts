import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { type ErrorCode, type FieldError, RosterError } from '@roster/client';
import { pathOfPointer } from '@roster/fields/json-pointer';
import { messageOf } from '../error-message.ts';

export interface FormErrors {
  /** Returns the error of a field, by its JSON Pointer without `#/`: `name`, `grants/0/officeIds`; undefined if it has none. */
  at(pointer: string): string | undefined;
  within(pointer: string): string | undefined;
  /** The error of the whole form, or of what no field shows. */
  rest: string | undefined;
}

const tooFew = msg`Choose at least one.`;

/** The words for an error of a field. The service counts the items of a list, which means nothing to a person who ticks boxes. */
const detailOf = ({ code, detail }: FieldError) => (code === 'too_few' ? i18n._(tooFew) : detail);

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
    ...(field === undefined ? [] : [{ pointer: field, detail: messageOf(error) }]),
    ...named.map((one) => ({ pointer: pathOfPointer(one.pointer ?? '').join('/'), detail: detailOf(one) })),
  ];
  const isInside = (pointer: string, outer: string) => pointer === outer || pointer.startsWith(`${outer}/`);
  const join = (some: typeof found) =>
    some.length === 0 ? undefined : some.map(({ detail }) => detail).join(' ');
  const isShown =
    found.length > 0 && found.every(({ pointer }) => shown.some((one) => isInside(pointer, one)));
  return {
    at: (wanted) => join(found.filter(({ pointer }) => pointer === wanted)),
    within: (wanted) => join(found.filter(({ pointer }) => isInside(pointer, wanted))),
    rest: isShown ? undefined : messageOf(error),
  };
}

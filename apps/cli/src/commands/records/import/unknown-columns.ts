import type { FieldError, RosterError } from '@roster/client';
import { pathOfPointer } from '@roster/fields/json-pointer';
import { usageError } from '../../../errors.ts';

/** A column of the file that the service does not know, and why, with the closest ones. */
export interface UnknownColumn {
  header: string;
  detail: string;
}

/** The errors of the fields that an error of the service names. Does not load the client, unlike `instanceof RosterError`. */
function fieldErrorsOf(error: unknown): readonly FieldError[] {
  return error instanceof Error && error.name === 'RosterError' ? (error as RosterError).errors : [];
}

/** The unknown columns that an error of an upload names; empty if it is another error. */
export function unknownColumnsIn(error: unknown): UnknownColumn[] {
  return fieldErrorsOf(error).flatMap(({ pointer = '', detail }) => {
    const [, part, header] = pathOfPointer(pointer);
    return part === 'columns' && header !== undefined ? [{ header, detail }] : [];
  });
}

/** The codes of errors of a header that other options correct. */
const headerCodes = new Set(['not_found', 'repeated']);

/** An error of an upload as the command line says it: a header that does not fit is a usage error. */
export function headerError(error: unknown): unknown {
  const [first] = fieldErrorsOf(error);
  const isOfFile = first?.pointer === '#' && headerCodes.has(first.code);
  return isOfFile ? usageError(first.detail, 'See --map, --ignore and --key-column.') : error;
}

/** The usage error that names unknown columns, and the options that help. */
export function unknownColumnsError(unknown: readonly UnknownColumn[]): Error {
  const words = unknown.map(({ header, detail }) => `"${header}" ${detail.split(';')[0]}`).join(', ');
  const near = unknown
    .slice(0, 5)
    .map(({ header, detail }) => `Closest to "${header}": ${detail.replace(/^.*the closest are /, '')}.\n`)
    .join('');
  return usageError(
    `the header has unknown columns: ${words}`,
    `${near}Map a column with --map "${unknown[0]?.header}=<column>", ignore one with ` +
      '--ignore <column>, or all of them with --ignore-unknown.',
  );
}

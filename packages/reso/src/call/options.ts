import { invalidParameter } from '@roster/api';
import type { ResoCall } from './call.ts';

const ofSets = ['filter', 'orderBy', 'top', 'skip', 'count', 'skipToken'] as const;

/** Throws `invalid_parameter` for options that only sets have. */
export function checkEntityOptions({ options }: Pick<ResoCall, 'options'>): void {
  const found = ofSets.find((name) => options[name] !== undefined);
  if (found !== undefined)
    throw invalidParameter(`$${found.toLowerCase()}`, 'not_allowed', 'is not an option of one entity');
}

/** Throws `invalid_parameter` for any other option; `what` is the subject of the message. */
export function rejectOptionsBut(
  only: 'filter' | 'format',
  { options }: Pick<ResoCall, 'options'>,
  what: string,
): void {
  const found = Object.keys(options).find((name) => name !== only);
  if (found !== undefined)
    throw invalidParameter(`$${found.toLowerCase()}`, 'not_allowed', `is not an option of ${what}`);
}

/** Throws `invalid_parameter` for `$skip` with `$skiptoken`. */
export function checkSkip({ options: { skip, skipToken } }: Pick<ResoCall, 'options'>): void {
  if (skip === undefined || skipToken === undefined) return;
  throw invalidParameter(
    '$skip',
    'not_allowed',
    'is for the first page: $skiptoken says where this one begins',
  );
}

/** Throws `invalid_parameter`; `what` is the subject of the message. */
export function rejectExpand({ options }: Pick<ResoCall, 'options'>, what: string): void {
  if (options.expand !== undefined)
    throw invalidParameter('$expand', 'not_supported', `is not an option of ${what}`);
}

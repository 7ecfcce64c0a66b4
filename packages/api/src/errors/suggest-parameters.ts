import { closest, distance } from 'fastest-levenshtein';
import { RosterError } from './roster-error.ts';

const NAME_MAX_CHARACTERS = 100;

function findNearest(name: string, parameters: readonly string[]): string | undefined {
  if (parameters.length === 0 || name.length > NAME_MAX_CHARACTERS) return undefined;
  const nearest = closest(name, parameters);
  return distance(name, nearest) <= Math.max(name.length, nearest.length) / 2 ? nearest : undefined;
}

export function suggestParameters(error: RosterError, parameters: readonly string[]): RosterError {
  if (error.errorCode !== 'invalid_parameter') return error;
  const suggestions = new Set<string>();
  const errors = error.errors?.map((one) => {
    if (one.code !== 'unknown_parameter' || one.parameter === undefined) return one;
    const nearest = findNearest(one.parameter, parameters);
    if (nearest === undefined) return one;
    suggestions.add(nearest);
    return { ...one, detail: `${one.detail} (did you mean ${nearest}?)` };
  });
  if (errors === undefined || suggestions.size === 0) return error;
  const { errorsOmitted, cause } = error;
  const detail = `${error.message} Did you mean ${[...suggestions].join(' and ')}?`;
  return new RosterError(error.errorCode, detail, { errors, errorsOmitted, cause });
}

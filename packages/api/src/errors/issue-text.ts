/** An error of one field or parameter. */
export interface IssueError {
  pointer?: string | undefined;
  parameter?: string | undefined;
  code: string;
  detail: string;
}

/** The maximum number of errors listed for one record, or for a body that has no records. */
export const ERRORS_PER_RECORD_MAX = 100;
/** The maximum number of errors listed in one response. */
export const ERRORS_PER_REQUEST_MAX = 1_000;
/** The maximum number of unknown names of one object that get an error each; more of them get one error together. */
export const UNKNOWN_NAMES_MAX = 10;

/** The limits of `listNames`. */
const NAMES_LISTED_MAX = 3;
const NAME_CHARACTERS_MAX = 40;

/** A number with commas: 50,000. */
export function formatNumber(number: number): string {
  return number.toLocaleString('en-US');
}

/** The first three names, cut off after 40 characters, and how many more there are. */
export function listNames(names: readonly string[]): string {
  const listed = names.slice(0, NAMES_LISTED_MAX).map((name) => {
    const isLong = name.length > NAME_CHARACTERS_MAX;
    return isLong ? `${name.slice(0, NAME_CHARACTERS_MAX).toWellFormed()}…` : name.toWellFormed();
  });
  const more = names.length - listed.length;
  return more > 0 ? `${listed.join(', ')} and ${formatNumber(more)} more` : listed.join(', ');
}

/** Faults that are named of one record, or of a body that is not made of records. */
export const ERRORS_PER_RECORD_MAX = 100;
/** Faults that are named in the answer to one call, whatever number of records it has. */
export const ERRORS_PER_REQUEST_MAX = 1_000;
/** Unknown names of one object that are a fault each; more of them are one fault together. */
export const UNKNOWN_NAMES_MAX = 10;

const NAMES_SHOWN = 3;
const NAME_SHOWN_MAX = 40;

/** A number for people, with commas. */
export function formatNumber(number: number): string {
  return number.toLocaleString('en-US');
}

/** The first few names, shortened where they are long, and how many more there are. */
export function listNames(names: readonly string[]): string {
  const shown = names
    .slice(0, NAMES_SHOWN)
    .map((name) =>
      name.length > NAME_SHOWN_MAX ? `${name.slice(0, NAME_SHOWN_MAX).toWellFormed()}…` : name.toWellFormed(),
    );
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${formatNumber(more)} more` : shown.join(', ');
}

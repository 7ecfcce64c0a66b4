export interface IssueError {
  pointer?: string | undefined;
  parameter?: string | undefined;
  code: string;
  detail: string;
}

export const ERRORS_PER_RECORD_MAX = 100;
export const ERRORS_PER_REQUEST_MAX = 1_000;
/** Per object. More unknown names get one error together. */
export const UNKNOWN_NAMES_MAX = 10;

const NAMES_LISTED_MAX = 3;
const NAME_CHARACTERS_MAX = 40;

export function formatNumber(number: number): string {
  return number.toLocaleString('en-US');
}

export function listNames(names: readonly string[]): string {
  const listed = names.slice(0, NAMES_LISTED_MAX).map((name) => {
    const isLong = name.length > NAME_CHARACTERS_MAX;
    return isLong ? `${name.slice(0, NAME_CHARACTERS_MAX).toWellFormed()}…` : name.toWellFormed();
  });
  const more = names.length - listed.length;
  return more > 0 ? `${listed.join(', ')} and ${formatNumber(more)} more` : listed.join(', ');
}

export const readOnlyFields: ReadonlyMap<string, string> = new Map([
  ['id', 'is set by the server and never changes'],
  ['status', 'can only be changed by deactivate and reactivate'],
  ['statusReason', 'is set by deactivate, from its reason'],
  ['statusChangedAt', 'is set by the server'],
  ['deactivatedAt', 'is set by the server'],
  ['createdAt', 'is set by the server'],
  ['updatedAt', 'is set by the server'],
  ['version', 'is set by the server'],
  ['nextLicenseExpiresOn', 'is derived from the licences'],
  ['transferredAt', 'is set by the server when officeId changes'],
  [
    'scheduledChanges',
    'can only be changed by deactivate, reactivate or transfer with a time, or by cancelling a change',
  ],
]);

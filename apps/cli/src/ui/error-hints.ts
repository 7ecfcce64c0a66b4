import type { ErrorCode, RosterError } from '@roster/client';
import { records } from '@roster/contract/records';
import { resources } from '../contract/resources.ts';
import { commandLine, type Environment } from '../environment.ts';
import { type Connection, keyFileName } from '../service/connection.ts';

export interface FailedCommand {
  command: string;
  resource: string;
  env: Environment;
  connection: Connection | undefined;
}

/** The advice, given the failed command and a function that spells command lines for where it ran. */
type Hint = (failed: FailedCommand, run: (words: string) => string) => string;

const seeHelp: Hint = ({ command }, run) => `${run(`${command} --help --all`)} describes each field.`;
const retry: Hint = () => 'Try again in a moment.';

function hasOperation(name: string, operation: string): boolean {
  return resources.some((resource) => resource.name === name && resource.operations.includes(operation));
}

const findId: Hint = ({ resource }, run) => {
  const find = `Find the ID with: ${run(`${resource} list`)}`;
  return hasOperation(resource, 'restore')
    ? `${find}. Restore a deleted one with: ${run(`${resource} restore <id>`)}`
    : find;
};

/** Names the key that was used, if any, and every place where a key is looked up. */
const giveKey: Hint = ({ connection, env }, run) => {
  const { keySource, withheld } = connection ?? {};
  const used = keySource === undefined ? '' : `The key came from ${keySource}. `;
  const unused = withheld === undefined ? '' : `${withheld} `;
  const local = `for a service on this machine, in ${keyFileName(env)} here or in a parent directory`;
  return `${used}${unused}Roster looks for a key in --key, ROSTER_KEY, the profile (${run('login')}) and, ${local}.`;
};

/** The advice of each error code. For other codes, the error reference of the service has it. */
const hints: Partial<Record<ErrorCode, Hint>> = {
  network: (_failed, run) =>
    `Start the service (npm start), or set its URL with --url, ROSTER_URL or ${run('login')}.`,
  invalid_response: () => 'Check --url, ROSTER_URL and the profile: the URL belongs to a different service.',
  no_such_route: () =>
    'Check --url, ROSTER_URL and the profile: the URL has a path that the service does not have, or the service is older than this command.',
  validation_failed: seeHelp,
  invalid_parameter: seeHelp,
  invalid_cursor: () => 'Leave --cursor out to start at the first page.',
  cursor_mismatch: () =>
    'Use the same filters, --sort and --start-at as for the page that returned the cursor.',
  cursor_expired: () =>
    'Use --after 0 to start at the beginning of the log; events before that have been deleted.',
  not_found: findId,
  record_merged: ({ resource }, run) => `Read it with: ${run(`${resource} get <the ID in the message>`)}`,
  email_taken: ({ resource }, run) => `Find the other one with: ${run(`${resource} list --email <email>`)}`,
  source_taken: ({ resource }, run) =>
    `Find the other one with: ${run(`${resource} list --source-name <name> --source-key <key>`)}`,
  office_inactive: (_failed, run) =>
    `Use a different office, or reactivate this one first: ${run('offices reactivate <id>')}`,
  office_cycle: () => 'Use a main office that is not a branch of this one.',
  too_many_agents: (_failed, run) =>
    `Transfer some of them first: ${run('agents bulk --office-id <id> --affiliation primary --transfer-to <id>')}`,
  key_revoked: (_failed, run) => `Create a new key with: ${run('keys create')}`,
  reference_not_found: (_failed, run) =>
    `Find the ID with: ${Object.keys(records)
      .map((name) => run(`${name} list`))
      .join(', or ')}.`,
  has_dependents: ({ resource }, run) =>
    `Move or delete them first, or deactivate it instead: ${run(`${resource} deactivate <id>`)}`,
  version_conflict: ({ resource }, run) =>
    `Read the current version with: ${run(`${resource} get <id>`)}, then retry with --if-version and that version.`,
  version_required: ({ resource }, run) =>
    `Add --if-version with the version that ${run(`${resource} get <id>`)} shows.`,
  idempotency_key_reused: () => 'Use a different --idempotency-key for a different change.',
  idempotency_in_progress: retry,
  test_in_progress: retry,
  limit_reached: ({ resource }, run) =>
    resource === 'webhooks' || resource === 'views'
      ? `Delete one you don't need. List them with: ${run(`${resource} list`)}`
      : resource === 'keys'
        ? `Revoke one you don't need. List them with: ${run('keys list')}`
        : `Cancel one you don't need. List them with: ${run('scheduled-changes list --subject <id>')}`,
  change_finished: (_failed, run) =>
    `List what is pending with: ${run('scheduled-changes list --status pending')}`,
  rate_limited: retry,
  overloaded: retry,
  unavailable: retry,
  timeout: retry,
};

const hintsByStatus: Record<number, Hint> = {
  401: giveKey,
  403: () => 'Use a key with the required scope: --key, ROSTER_KEY or --profile.',
};

export function hintFor(
  { code, status, retryAfterMs }: Pick<RosterError, 'code' | 'status' | 'retryAfterMs'>,
  failed: FailedCommand,
): string | undefined {
  // Without a time to try again the change may have been made.
  if (code === 'unavailable' && retryAfterMs === undefined)
    return 'Check whether the change was made before you repeat the command.';
  return (hints[code] ?? hintsByStatus[status])?.(failed, (words) => commandLine(words, failed.env));
}

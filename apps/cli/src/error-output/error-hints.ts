import type { ErrorCode, RosterError } from '@roster/client';
import { records } from '@roster/contract/records';
import { type Connection, keyFileName } from '../context/connection.ts';
import type { Environment } from '../environment.ts';
import { resources } from '../resources.ts';

/** The command that failed. */
export interface FailedCommand {
  /** `agents create`. */
  command: string;
  /** `agents`. */
  resource: string;
  env: Environment;
  /** The URL and key of the call; undefined if they could not be resolved. */
  connection: Connection | undefined;
}

type Hint = (failed: FailedCommand) => string;

const seeHelp: Hint = ({ command }) => `roster ${command} --help describes each field.`;
const retry: Hint = () => 'Try again in a moment.';

function hasOperation(name: string, operation: string): boolean {
  return resources.some((resource) => resource.name === name && resource.operations.includes(operation));
}

const findId: Hint = ({ resource }) => {
  const find = `Find the id with: roster ${resource} list`;
  return hasOperation(resource, 'restore')
    ? `${find}. Restore a deleted one with: roster ${resource} restore <id>`
    : find;
};

/** Names the key that was used, if any, and every place where a key is looked up. */
const giveKey: Hint = ({ connection, env }) => {
  const { keySource, withheld } = connection ?? {};
  const used = keySource === undefined ? '' : `The key came from ${keySource}. `;
  const unused = withheld === undefined ? '' : `${withheld} `;
  const local = `for a service on this machine in ${keyFileName(env)}, here or in a directory above`;
  return `${used}${unused}A key is looked for in --key, then in ROSTER_KEY, then in the profile (roster login), then ${local}.`;
};

const listCommands = Object.keys(records).map((name) => `roster ${name} list`);

/** The advice of each error code. For other codes, the error reference of the service has it. */
const hints: Partial<Record<ErrorCode, Hint>> = {
  network: () => 'Start the service (npm start), or set its URL with --url, ROSTER_URL or roster login.',
  invalid_response: () => 'Check --url, ROSTER_URL and the profile: something else answers there.',
  validation_failed: seeHelp,
  invalid_parameter: seeHelp,
  invalid_cursor: () => 'Leave --cursor out to start at the first page.',
  cursor_mismatch: () =>
    'Repeat the filters, the --sort and the --start-at of the page the cursor came from.',
  cursor_expired: () =>
    'Use --after 0 to start at the beginning of the log; events before that have been deleted.',
  not_found: findId,
  record_merged: ({ resource }) => `Read it with: roster ${resource} get <the id in the message>`,
  email_taken: ({ resource }) => `Find the other one with: roster ${resource} list --email <e-mail>`,
  source_taken: ({ resource }) =>
    `Find the other one with: roster ${resource} list --source-name <name> --source-key <key>`,
  office_inactive: () => 'Use another office, or reactivate it first: roster offices reactivate <id>',
  office_cycle: () => 'Use a main office that is not a branch of this one.',
  too_many_agents: () =>
    'Transfer some of them first: roster agents bulk --office-id <id> --affiliation primary --transfer-to <id>',
  key_revoked: () => 'Create a new key with: roster keys create',
  reference_not_found: () => `Find the id with: ${listCommands.join(', or ')}.`,
  has_dependents: ({ resource }) =>
    `Move or delete them first, or deactivate it instead: roster ${resource} deactivate <id>`,
  version_conflict: ({ resource }) =>
    `Read the current version with: roster ${resource} get <id>, and repeat with --if-version and that version.`,
  version_required: ({ resource }) =>
    `Add --if-version with the version that roster ${resource} get <id> shows.`,
  idempotency_key_reused: () => 'Use another --idempotency-key, or none, for another change.',
  idempotency_in_progress: retry,
  test_in_progress: retry,
  limit_reached: ({ resource }) =>
    resource === 'webhooks' || resource === 'views'
      ? `Delete one that is not needed. List them with: roster ${resource} list`
      : resource === 'keys'
        ? 'Revoke one that is not needed. List them with: roster keys list'
        : 'Cancel one that is not needed. List them with: roster scheduled-changes list --subject <id>',
  change_finished: () => 'List what is pending with: roster scheduled-changes list --status pending',
  rate_limited: retry,
  overloaded: retry,
  unavailable: retry,
  timeout: retry,
};

/** The advice of an HTTP status, if the error code has none. */
const hintsByStatus: Record<number, Hint> = {
  401: giveKey,
  403: () => 'Use a key that has the scope for this, with --key, ROSTER_KEY or --profile.',
};

/** The advice about an error, in one line; undefined if only the error reference of the service has it. */
export function hintFor(
  { code, status }: Pick<RosterError, 'code' | 'status'>,
  failed: FailedCommand,
): string | undefined {
  return (hints[code] ?? hintsByStatus[status])?.(failed);
}

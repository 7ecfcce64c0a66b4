import type { ErrorCode, RosterError } from '@roster/client';
import { type Connection, keyFileName } from '../context/connection.ts';
import type { Environment } from '../context/environment.ts';
import { nouns, type Verb } from '../resources.ts';

/** The command that was refused. */
export interface Refused {
  /** `agents create`. */
  command: string;
  /** `agents`. */
  noun: string;
  env: Environment;
  /** Where it was sent and as whom; undefined where it came to neither. */
  connection: Connection | undefined;
}

type Remedy = (refused: Refused) => string;

const seeHelp: Remedy = ({ command }) => `roster ${command} --help says what each field takes.`;
const again: Remedy = () => 'Try again in a moment.';

function hasVerb(name: string, verb: Verb): boolean {
  return nouns.some((noun) => noun.name === name && noun.verbs.includes(verb));
}

const findId: Remedy = ({ noun }) => {
  const find = `Find the id with: roster ${noun} list`;
  return hasVerb(noun, 'restore')
    ? `${find}. A deleted one comes back with: roster ${noun} restore <id>`
    : find;
};

/** Says which key was used, if any, and everywhere one is looked for. */
const giveKey: Remedy = ({ connection, env }) => {
  const { keySource, withheld } = connection ?? {};
  const used = keySource === undefined ? '' : `The key came from ${keySource}. `;
  const kept = withheld === undefined ? '' : `${withheld} `;
  const local = `for a service on this machine in ${keyFileName(env)}, here or in a directory above`;
  return `${used}${kept}A key is looked for in --key, then in ROSTER_KEY, then in the profile (roster login), then ${local}.`;
};

/** What the user of a terminal can do about a refusal. For other reasons the service's page of errors says it. */
const remedies: Partial<Record<ErrorCode, Remedy>> = {
  network: () => 'Start the service (npm start), or say where it is with --url, ROSTER_URL or roster login.',
  invalid_response: () => 'Check --url, ROSTER_URL and the profile: something else answers there.',
  validation_failed: seeHelp,
  invalid_parameter: seeHelp,
  invalid_cursor: () => 'Leave --cursor out to start at the first page.',
  cursor_mismatch: () => 'Repeat the filters and the --sort of the page the cursor came from.',
  cursor_expired: () =>
    'Give --after 0 to begin at the start of the log: what it does not name any more is gone for good.',
  not_found: findId,
  email_taken: () => 'Find the other agent with: roster agents list --email <e-mail>',
  source_taken: ({ noun }) =>
    `Find the other one with: roster ${noun} list --source-name <name> --source-key <key>`,
  office_inactive: () => 'Name another office, or first: roster offices reactivate <id>',
  office_cycle: () => 'Name a main office that is not below this one.',
  key_revoked: () => 'Make a new key with: roster keys create',
  reference_not_found: () => 'Find the id with: roster offices list, or roster agents list.',
  has_dependents: ({ noun }) => `Move or delete them first, or instead: roster ${noun} deactivate <id>`,
  version_conflict: ({ noun }) =>
    `See what it is now with: roster ${noun} get <id>, and repeat with --if-version and that version.`,
  version_required: ({ noun }) => `Add --if-version with the version that roster ${noun} get <id> shows.`,
  idempotency_key_reused: () => 'Give another --idempotency-key, or none, for another change.',
  idempotency_in_progress: again,
  test_in_progress: again,
  limit_reached: () => 'Delete one that is not needed: roster webhooks list',
  rate_limited: again,
  overloaded: again,
  unavailable: again,
  timeout: again,
};

/** What the user can do about statuses that have one meaning, whatever the reason. */
const remediesOfStatus: Record<number, Remedy> = {
  401: giveKey,
  403: () => 'Use a key that has the scope for this, with --key, ROSTER_KEY or --profile.',
};

/** What to do about a refusal, in one line; undefined where only the service's page of errors knows. */
export function remedyFor(
  { code, status }: Pick<RosterError, 'code' | 'status'>,
  refused: Refused,
): string | undefined {
  return (remedies[code] ?? remediesOfStatus[status])?.(refused);
}

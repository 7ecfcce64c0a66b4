import type { ErrorCode } from '@roster/client';

/** The command that was refused. */
export interface Refused {
  /** `agents create`. */
  command: string;
  /** `agents`. */
  noun: string;
}

type Remedy = (refused: Refused) => string;

const seeHelp: Remedy = ({ command }) => `roster ${command} --help says what each field takes.`;
const again: Remedy = () => 'Try again in a moment.';

/** What the user of a terminal can do about a refusal. For other reasons the service's page of errors says it. */
export const remedies: Partial<Record<ErrorCode, Remedy>> = {
  network: () => 'Start the service (npm start), or say where it is with --url or ROSTER_URL.',
  unreadable_answer: () => 'Check --url and ROSTER_URL: something else answers there.',
  validation_failed: seeHelp,
  invalid_parameter: seeHelp,
  invalid_cursor: () => 'Leave --cursor out to start at the first page.',
  cursor_mismatch: () => 'Repeat the filters and the --sort of the page the cursor came from.',
  not_found: ({ noun }) =>
    `Find the id with: roster ${noun} list. A deleted one comes back with: roster ${noun} restore <id>`,
  email_taken: () => 'Find the other agent with: roster agents list --email <e-mail>',
  source_taken: ({ noun }) =>
    `Find the other one with: roster ${noun} list --source-name <name> --source-key <key>`,
  office_inactive: () => 'Name another office, or first: roster offices reactivate <id>',
  office_cycle: () => 'Name a main office that is not below this one.',
  reference_not_found: () => 'Find the id with: roster offices list, or roster agents list.',
  has_dependents: ({ noun }) => `Move or delete them first, or instead: roster ${noun} deactivate <id>`,
  unavailable: again,
  timeout: again,
};

/** What the user can do about statuses that have one meaning, whatever the reason. */
export const remediesOfStatus: Record<number, string> = {
  401: 'Give a valid key with --key or ROSTER_KEY.',
  403: 'Use a key that has the scope for this, with --key or ROSTER_KEY.',
};

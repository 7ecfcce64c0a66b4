import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { usageError } from '../errors.ts';
import type { OperationContract } from './types.ts';

/** The text of the option in the help. */
const IDEMPOTENCY_KEY_HELP =
  'Repeating the command with the same key changes nothing twice (24 hours); generated unless given';

/** Adds `--idempotency-key` to a command whose operation accepts one. */
export function addIdempotencyKey(command: CommandUnknownOpts, { isRepeatable }: OperationContract): void {
  if (isRepeatable) command.addOption(new Option('--idempotency-key <key>', IDEMPOTENCY_KEY_HELP));
}

/**
 * The idempotency key of a command: the given one, or a random one, so that retries of the client are safe. Throws a usage error for
 * a key that cannot be sent in a header; the service validates the rest.
 *
 * @returns undefined if the operation accepts none
 */
export function idempotencyKeyOf(given: unknown, { isRepeatable }: OperationContract): string | undefined {
  if (!isRepeatable) return undefined;
  if (typeof given !== 'string') return crypto.randomUUID();
  if (/^[\x20-\x7e]*$/.test(given)) return given;
  throw usageError('--idempotency-key takes visible ASCII characters');
}

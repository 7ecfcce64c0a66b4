import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { VerbContract } from '../contract/types.ts';
import { usageError } from '../errors/errors.ts';

const help = 'Given again with the same command, nothing is done twice (24 hours); made anew unless given';

/** Gives a command whose call can be made repeatable `--idempotency-key`. */
export function addIdempotencyKey(command: CommandUnknownOpts, { isRepeatable }: VerbContract): void {
  if (isRepeatable) command.addOption(new Option('--idempotency-key <key>', help));
}

/**
 * The key under which a command makes its change: the one that was given, or one for this run alone, which makes the
 * client's own repetitions safe. Undefined where there is nothing to repeat. Throws a usage error for what no header
 * can carry; what a key may be beyond that, the service says.
 */
export function idempotencyKeyOf(given: unknown, { isRepeatable }: VerbContract): string | undefined {
  if (!isRepeatable) return undefined;
  if (typeof given !== 'string') return crypto.randomUUID();
  if (/^[\x20-\x7e]*$/.test(given)) return given;
  throw usageError('--idempotency-key takes visible ASCII characters');
}

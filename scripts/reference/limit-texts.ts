import { Environment } from '../../apps/server/src/config/config.ts';
import { number } from './markdown.ts';

/** What is limited, how far, and what a caller gets beyond it. */
export type Limit = readonly [what: string, limit: string, beyond: string];

/** The default of a setting, with its name. */
export function setting(
  name: keyof typeof Environment.shape,
  show: (value: number) => string = number,
): string {
  return `${show(Number(Environment.shape[name].parse(undefined)))} (\`${name}\`)`;
}

/** An error with its status, as a link to its section. */
export const error = (status: number, code: string) => `${status} [\`${code}\`](errors.md#${code})`;

export const overloaded = error(503, 'overloaded');
export const timeout = error(503, 'timeout');
export const limited = error(429, 'rate_limited');
export const invalid = error(422, 'validation_failed');
export const invalidParameter = error(400, 'invalid_parameter');
export const tooLarge = error(413, 'payload_too_large');
export const closed = 'the connection is closed';

import type { Environment } from './connection.ts';

const isSet = (value: string | undefined) => value !== undefined && value !== '';

/**
 * Whether text to a stream may be coloured: NO_COLOR (no-color.org) is over FORCE_COLOR, which is over what the stream
 * is. `FORCE_COLOR=0` and `FORCE_COLOR=false` mean no colour, as they do in Node.
 */
export function hasColor(env: Environment, isTerminal: boolean): boolean {
  if (isSet(env.NO_COLOR)) return false;
  if (isSet(env.FORCE_COLOR)) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}

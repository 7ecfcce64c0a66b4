import { expect, it } from 'vitest';
import { hasColor } from './io-streams.ts';

it.each([
  ['a terminal', {}, true, true],
  ['a pipe', {}, false, false],
  ['a terminal without colours', { TERM: 'dumb' }, true, false],
  ['NO_COLOR', { NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR, which has no effect', { NO_COLOR: '' }, true, true],
  ['FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR=0 at a terminal', { FORCE_COLOR: '0' }, true, false],
  ['NO_COLOR over FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
])('enables or disables colour: %s', (_, env, isTerminal, expected) => {
  expect(hasColor(env, isTerminal)).toBe(expected);
});

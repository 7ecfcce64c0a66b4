/**
 * How long tests in a browser wait, in milliseconds: so long that on the busiest machine only what never happens ends a test. No test
 * has a number of its own; a limit that is the subject of a test is an argument or a fake clock.
 */

/** For what a person would see: an element, a response, an address. Less than a test may take, so that its error says what was missing. */
export const WAIT_MS = 180_000;

/** Vitest's limits for tests in a browser. */
export const browserLimits = {
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: WAIT_MS } },
} as const;

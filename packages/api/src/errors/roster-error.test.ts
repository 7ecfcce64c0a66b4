import { expect, it } from 'vitest';
import { type ErrorCode, errorCodes } from './error-codes.ts';
import { RosterError } from './roster-error.ts';

const codes = Object.keys(errorCodes).filter((code) => code !== 'internal') as ErrorCode[];

it.each(codes)('%s says what to do, and does not repeat its title', (code) => {
  const { title } = errorCodes[code];
  expect(new RosterError(code).message).not.toContain(title);
});

it('an internal error tells nothing', () => {
  expect(new RosterError('internal').message).toBe('Internal error.');
});

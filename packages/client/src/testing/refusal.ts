import { expect } from 'vitest';
import { RosterError } from '../index.ts';

/** The error of a call that is to be refused. */
export async function refusalOf(call: Promise<unknown>): Promise<RosterError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RosterError);
  return error as RosterError;
}

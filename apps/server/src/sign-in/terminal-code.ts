import { z } from 'zod';
import { type SignInContext, storeSecret, Token } from './context.ts';
import type { SignedInPerson } from './people.ts';

/** The longest time in which a terminal may exchange its code, with the page that asks in between. */
const CODE_MS = 2 * 60 * 1_000;

/** The terminal that waits for someone to sign in: it listens on the loopback interface of their computer (RFC 8252). */
export const Terminal = z.strictObject({
  port: z
    .string()
    .regex(/^\d{4,5}$/, 'must be the number of a port')
    .transform(Number)
    .pipe(z.int().min(1_024).max(65_535)),
  /** The SHA-256 of the secret with which the code is exchanged (PKCE). */
  challenge: Token,
  /** Sent back with the code. */
  state: Token,
});
export type Terminal = z.output<typeof Terminal>;

/** The sign-in to which the code of a terminal leads. */
export interface TerminalSignIn extends SignedInPerson {
  challenge: string;
}

/** Stores who has signed in for a terminal. Returns the code for it, which works once. */
export function storeTerminalCode(
  context: Pick<SignInContext, 'db' | 'now'>,
  data: TerminalSignIn,
): Promise<string> {
  const { personId, providerSession } = data;
  const owned = { owner: { personId }, providerSession };
  return storeSecret(context, { kind: 'terminal', data, lifetimeMs: CODE_MS, ...owned });
}

/** The address at which the terminal waits, with the code. */
export function terminalUrl({ port, state }: Terminal, code: string): string {
  return `http://127.0.0.1:${port}/?${new URLSearchParams({ code, state })}`;
}

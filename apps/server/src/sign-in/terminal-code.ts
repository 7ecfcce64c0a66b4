import { z } from 'zod';
import { type SignInContext, storeSecret, Token } from './context.ts';
import type { SignedInPerson } from './people.ts';

const CODE_MS = 2 * 60 * 1_000;

/** Listens on the loopback interface (RFC 8252). */
export const Terminal = z.strictObject({
  port: z
    .string()
    .regex(/^\d{4,5}$/, 'must be the number of a port')
    .transform(Number)
    .pipe(z.int().min(1_024).max(65_535)),
  /** The SHA-256 of the secret that exchanges the code (PKCE). */
  challenge: Token,
  state: Token,
});
export type Terminal = z.output<typeof Terminal>;

export interface TerminalSignIn extends SignedInPerson {
  challenge: string;
}

/** Returns a code that works once. */
export function storeTerminalCode(
  context: Pick<SignInContext, 'db' | 'now'>,
  data: TerminalSignIn,
): Promise<string> {
  const { personId, providerSession } = data;
  const owned = { owner: { personId }, providerSession };
  return storeSecret(context, { kind: 'terminal', data, lifetimeMs: CODE_MS, ...owned });
}

export function terminalUrl({ port, state }: Terminal, code: string): string {
  return `http://127.0.0.1:${port}/?${new URLSearchParams({ code, state })}`;
}

import { z } from 'zod';
import { Token } from './context.ts';

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

/** The address at which the terminal waits, with the code. */
export function terminalUrl({ port, state }: Terminal, code: string): string {
  return `http://127.0.0.1:${port}/?${new URLSearchParams({ code, state })}`;
}

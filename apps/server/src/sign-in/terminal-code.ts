import { z } from 'zod';
import { Token } from './context.ts';

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

export function terminalUrl({ port, state }: Terminal, code: string): string {
  return `http://127.0.0.1:${port}/?${new URLSearchParams({ code, state })}`;
}

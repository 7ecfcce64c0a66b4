import { availableParallelism } from 'node:os';
import { compile } from '@fastify/proxy-addr';
import { z } from 'zod';

export const whole = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number);

/** More would be a mistake: each process has connections to the database and memory of its own. */
const PROCESSES_MAX = 64;

/** A number of processes, or `auto` for one for each core that this process may use. */
export const processCount = z
  .string()
  .transform((text) => (text === 'auto' ? String(Math.min(availableParallelism(), PROCESSES_MAX)) : text))
  .refine(
    (text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= PROCESSES_MAX,
    `must be a whole number from 1 to ${PROCESSES_MAX}, or auto`,
  )
  .transform(Number);

/** Numbers of days, separated by commas, each once; `off` for none. */
export function dayCounts({ max, countMax }: { max: number; countMax: number }) {
  return z
    .string()
    .transform((text) => (text.trim() === 'off' ? [] : text.split(',').map((item) => item.trim())))
    .pipe(z.array(whole.pipe(z.int().max(max))).max(countMax))
    .refine((days) => new Set(days).size === days.length, 'names a number twice');
}

/** A host by which a program reaches a service on its own computer, with an optional port. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Whether a host, with or without a port, is this computer itself. */
export function isLoopback(host: string): boolean {
  return loopback.test(host);
}

/** A URL of some protocols. What else is checked of it is checked only if it is one. */
export function urlOf(protocol: RegExp, example: string) {
  return z.url({ protocol, abort: true, error: `must be a URL, such as ${example}` });
}

export const list = z.string().transform((text) => text.split(',').map((item) => item.trim()));

export const toggle = z.enum(['true', 'false']);

/** The longest delay of a timer of Node.js. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export const milliseconds = whole.pipe(z.int().max(TIMER_MAX_MS));

/** A refinement that adds an issue with the message of the error that `parse` throws. */
export function parseable(parse: (text: string) => unknown) {
  return (text: string, { addIssue }: { addIssue: (message: string) => void }) => {
    try {
      parse(text);
    } catch (error) {
      addIssue((error as Error).message);
    }
  };
}

/** Throws if the text is neither an address nor a network, by the parser that Fastify uses at the start. */
export function compileProxy(text: string): void {
  try {
    compile(text);
  } catch (error) {
    throw new Error(
      `${(error as Error).message}: give addresses or networks (10.0.0.0/8), separated by commas`,
    );
  }
}

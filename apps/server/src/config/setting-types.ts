import { availableParallelism } from 'node:os';
import { compile } from '@fastify/proxy-addr';
import { z } from 'zod';

export const whole = z.string().regex(/^\d+$/, 'must be a whole number, 0 or more').transform(Number);

/** More would be a mistake: each process has connections to the database and memory of its own. */
const PROCESSES_MAX = 64;

export const processCount = z
  .string()
  .transform((text) => (text === 'auto' ? String(Math.min(availableParallelism(), PROCESSES_MAX)) : text))
  .refine(
    (text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= PROCESSES_MAX,
    `must be a whole number from 1 to ${PROCESSES_MAX}, or auto`,
  )
  .transform(Number);

export function dayCounts({ max, countMax }: { max: number; countMax: number }) {
  return z
    .string()
    .transform((text) => (text.trim() === 'off' ? [] : text.split(',').map((item) => item.trim())))
    .pipe(z.array(whole.pipe(z.int().max(max))).max(countMax))
    .refine((days) => new Set(days).size === days.length, 'names a number twice');
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

export function isLoopback(host: string): boolean {
  return loopback.test(host);
}

/** Further checks run only on a valid URL. */
export function urlOf(protocol: RegExp, example: string) {
  return z.url({ protocol, abort: true, error: `must be a URL, such as ${example}` });
}

export const list = z.string().transform((text) => text.split(',').map((item) => item.trim()));

export const toggle = z.enum(['true', 'false']);

const TIMER_MAX_MS = 2 ** 31 - 1;

export const milliseconds = whole.pipe(z.int().max(TIMER_MAX_MS));

export function parseable(parse: (text: string) => unknown) {
  return (text: string, { addIssue }: { addIssue: (message: string) => void }) => {
    try {
      parse(text);
    } catch (error) {
      addIssue((error as Error).message);
    }
  };
}

/** Checks with the parser that Fastify uses later. */
export function compileProxy(text: string): void {
  try {
    compile(text);
  } catch (error) {
    throw new Error(
      `${(error as Error).message}: give addresses or networks (10.0.0.0/8), separated by commas`,
    );
  }
}

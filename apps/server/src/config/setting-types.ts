import { compile } from '@fastify/proxy-addr';
import { parseReplicaUrl } from '@roster/db';
import { z } from 'zod';

export const whole = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number);

export const list = z.string().transform((text) => text.split(',').map((item) => item.trim()));

export const toggle = z.enum(['true', 'false']);

/** The longest time a timer can hold. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export const milliseconds = whole.pipe(z.int().max(TIMER_MAX_MS));

/** Refuses what a reader throws at, with its words. */
export function refuseUnread(read: (text: string) => unknown) {
  return (text: string, { addIssue }: { addIssue: (message: string) => void }) => {
    try {
      read(text);
    } catch (error) {
      addIssue((error as Error).message);
    }
  };
}

/** URLs separated by commas; what follows a comma and is no new URL is another host of the same. */
export const urlList = z
  .string()
  .transform((text) => text.split(/,(?=\s*postgres(?:ql)?:\/\/)/).map((url) => url.trim()))
  .pipe(z.array(z.string().superRefine(refuseUnread(parseReplicaUrl))));

/** Reads an address or a network as Fastify does at the start. */
export function compileProxy(text: string): void {
  try {
    compile(text);
  } catch (error) {
    throw new Error(
      `${(error as Error).message}: give addresses or networks (10.0.0.0/8), separated by commas`,
    );
  }
}

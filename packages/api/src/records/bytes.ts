import { Buffer } from 'node:buffer';

/**
 * UTF-8 in a string, each of whose characters is a byte: as PostgreSQL sent it, half as large as text with a letter beyond
 * Latin-1, and nothing to count or to encode when it is sent on. What is ASCII is the same as text.
 */
export type Bytes = string;

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Whether a string is the same as text and as bytes. */
export function isAscii(string: string): boolean {
  return !BEYOND_ASCII.test(string);
}

/** The text that bytes are. */
export function textOf(bytes: Bytes): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString();
}

/** The bytes of a text. */
export function bytesOf(text: string): Bytes {
  return isAscii(text) ? text : Buffer.from(text).toString('latin1');
}

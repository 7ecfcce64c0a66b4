import { Buffer } from 'node:buffer';

/**
 * UTF-8 in a string, each of whose characters is one byte (0 to 255): what `Buffer.toString('latin1')` makes. It takes half
 * the memory of text with a letter beyond Latin-1, and is sent without being measured or encoded. ASCII is the same in both.
 */
export type BinaryString = string;

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Whether a string is the same as text and as a binary string. */
export function isAscii(string: string): boolean {
  return !BEYOND_ASCII.test(string);
}

/** Decodes a binary string to the text that it holds. */
export function decodeBinaryString(bytes: BinaryString): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString();
}

/**
 * Encodes a text as a binary string. The two functions are inverse for text without lone surrogates, which UTF-8 cannot
 * hold.
 */
export function encodeBinaryString(text: string): BinaryString {
  return isAscii(text) ? text : Buffer.from(text).toString('latin1');
}

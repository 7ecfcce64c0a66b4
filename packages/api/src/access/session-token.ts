import { checksummed, isChecksummed } from '../api-keys/secret.ts';

const PREFIX = 'rss_';

/** A new token of a session, of 256 random bits: a browser keeps it in a cookie, a terminal sends it as a bearer token. */
export function newSessionToken(): string {
  return checksummed(PREFIX);
}

/** Whether a text has the format and the checksum of a session's token. */
export function isSessionToken(text: string): boolean {
  return isChecksummed(PREFIX, text);
}

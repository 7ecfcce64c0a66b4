import { RosterError } from '@roster/api';
import type { CustomFetchOptions } from 'openid-client';

/** The longest response of the identity provider that is read, after it is decompressed. */
const RESPONSE_MAX_BYTES = 1024 * 1024;

/** Reads a response to its end. Rejects with `unavailable`, and closes the connection, if it is longer than 1 MiB. */
async function readBounded({ body }: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    if (length > RESPONSE_MAX_BYTES)
      throw new RosterError('unavailable', 'A response of the identity provider is longer than 1 MiB.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** `fetch` for what the identity provider is asked: it has read the response, of which the libraries read as much as there is. */
export async function boundedFetch(
  url: string | URL,
  { body = null, ...options }: Omit<RequestInit, 'body'> & { body?: CustomFetchOptions['body'] | undefined },
): Promise<Response> {
  if (body !== null && typeof body !== 'string' && !(body instanceof URLSearchParams))
    throw new TypeError('A request to the identity provider has a form or a text as its body.');
  const response = await fetch(url, { ...options, body });
  const bytes = await readBounded(response);
  const { status, statusText, headers } = response;
  // A response whose status allows no body is made without one.
  return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), { status, statusText, headers });
}

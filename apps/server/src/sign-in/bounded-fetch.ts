import { RosterError } from '@roster/api';

/** The longest response of the identity provider that is read, after it is decompressed. */
export const RESPONSE_MAX_BYTES = 1024 * 1024;

/** `fetch` that reads a response to its end. Rejects with `unavailable`, and closes the connection, if it is longer than 1 MiB. */
export async function boundedFetch(url: string | URL, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > RESPONSE_MAX_BYTES)
      throw new RosterError('unavailable', 'A response of the identity provider is longer than 1 MiB.');
    parts.push(part);
  }
  const { status, statusText, headers } = response;
  // A response that may have no body is made without one.
  return new Response(length === 0 ? null : Buffer.concat(parts), { status, statusText, headers });
}

import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

interface EncodedResponse {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  /** As it came: still compressed, which fetch would not show. */
  body: Buffer;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
}

/** Requests a path of a server, on a connection of its own, and follows no redirect. */
export async function readEncoded(
  { url }: { url: string },
  path: string,
  { method = 'GET', headers = {} }: Sent = {},
): Promise<EncodedResponse> {
  const asking = request(`${url}${path}`, { method, headers, agent: false }).end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await response.toArray());
  return { status: response.statusCode, headers: response.headers, body };
}

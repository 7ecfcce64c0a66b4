import { RosterError } from '@roster/api';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';

type Coding = 'zstd' | 'br' | 'gzip' | 'deflate' | 'identity';

const json = 'application/json';
const patches = ['application/merge-patch+json', json];
/** Codings of bodies that are decoded, by their names in small letters. */
export const bodyCodings = ['zstd', 'br', 'gzip', 'deflate', 'identity'] satisfies Coding[];
/** Names of old for the same (RFC 9110, section 8.4.1). */
const aliases = new Map([['x-gzip', 'gzip']]);

/** The media types of bodies that a method takes. */
function typesOf(method: string): string[] {
  return method === 'PATCH' ? patches : [json];
}

/** The headers that tell which bodies the methods of a path take (RFC 5789, section 3.1, and the LDP's Accept-Post). */
export function acceptedBodies(methods: Iterable<string>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const method of methods) {
    if (method === 'PATCH') headers['Accept-Patch'] = patches.join(', ');
    if (method === 'POST') headers['Accept-Post'] = json;
  }
  return headers;
}

/**
 * Rejects a body whose coding or type its method does not take, by its headers alone, and says which are taken (RFC 9110,
 * section 15.5.16). The name of a coding is left in small letters, as whoever decodes the body looks for it.
 */
export const demandMediaType: onRequestHookHandler = (request, reply, done) => {
  const { headers, method } = request;
  const coding = headers['content-encoding'];
  if (coding !== undefined) {
    const name = coding.trim().toLowerCase();
    const known = aliases.get(name) ?? name;
    if (known !== '' && !bodyCodings.some((taken) => taken === known)) {
      reply.header('Accept-Encoding', bodyCodings.join(', '));
      return done(
        new RosterError('unsupported_media_type', 'The content coding of the body is not one that is taken.'),
      );
    }
    headers['content-encoding'] = known || undefined;
  }
  const type = headers['content-type'];
  if (type === undefined && !announcesBody(request)) return done();
  const [essence = ''] = (type ?? '').split(';', 1);
  if (typesOf(method).includes(essence.trim().toLowerCase())) return done();
  const accepted = acceptedBodies([method]);
  // There is no such header for PUT and DELETE.
  reply.headers(Object.keys(accepted).length > 0 ? accepted : { Accept: json });
  done(new RosterError('unsupported_media_type', `A ${method} takes ${typesOf(method).join(' or ')}.`));
};

function announcesBody({ headers }: FastifyRequest): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

import type { IncomingHttpHeaders } from 'node:http';
import { MIMEType } from 'node:util';
import { RosterError } from '@roster/api';
import type { onRequestHookHandler } from 'fastify';

type Coding = 'zstd' | 'gzip' | 'deflate' | 'identity';

const json = 'application/json';
const patches = ['application/merge-patch+json', json];
/** Without `br`: no client of ours sends it, and its decoder in Node has had a fault that writes beyond its memory. */
export const bodyCodings = ['zstd', 'gzip', 'deflate', 'identity'] satisfies Coding[];
/** Obsolete names (RFC 9110, section 8.4.1). */
const aliases = new Map([['x-gzip', 'gzip']]);

function acceptedTypes(method: string): string[] {
  return method === 'PATCH' ? patches : [json];
}

const acceptHeaders: Record<string, string> = { PATCH: 'Accept-Patch', POST: 'Accept-Post' };

/** Accept-Patch (RFC 5789, section 3.1) and Accept-Post (LDP). */
export function acceptedBodies(methods: Iterable<string>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const method of methods) {
    if (method === 'PATCH') headers['Accept-Patch'] = patches.join(', ');
    if (method === 'POST') headers['Accept-Post'] = json;
  }
  return headers;
}

/** A body whose sender is not known is never decoded: a fault of a decoder would be open to everybody. */
export const requirePlainBody: onRequestHookHandler = ({ headers }, reply, done) => {
  if (!isCoded(headers)) return done();
  reply.header('Accept-Encoding', 'identity');
  done(new RosterError('unsupported_media_type', 'Without a key, send the body without a content coding.'));
};

export function isCoded({ 'content-encoding': coding = 'identity' }: IncomingHttpHeaders): boolean {
  return !['', 'identity'].includes(coding.trim().toLowerCase());
}

/** Names what is accepted (RFC 9110, section 15.5.16). Writes the coding in lower case, as the decompression plugin expects it. */
export const requireMediaType = requireTypes(acceptedTypes);

export const requireFileType = (types: readonly string[]): onRequestHookHandler =>
  requireTypes(() => types, ' Save a sheet of a workbook as CSV (in Excel "CSV UTF-8"), and send that.');

function requireTypes(typesOf: (method: string) => readonly string[], hint = ''): onRequestHookHandler {
  return (request, reply, done) => {
    const { headers, method } = request;
    const coding = headers['content-encoding'];
    if (coding !== undefined) {
      const name = coding.trim().toLowerCase();
      const known = aliases.get(name) ?? name;
      if (known !== '' && !bodyCodings.some((coding) => coding === known)) {
        reply.header('Accept-Encoding', bodyCodings.join(', '));
        return done(
          new RosterError('unsupported_media_type', 'The content coding of the body is not supported.'),
        );
      }
      headers['content-encoding'] = known || undefined;
    }
    const type = headers['content-type'];
    if (type === undefined && !announcesBody(headers)) return done();
    const types = typesOf(method);
    if (types.includes(mediaTypeOf(headers))) return done();
    // PUT and DELETE have no such header.
    reply.header(acceptHeaders[method] ?? 'Accept', types.join(', '));
    done(new RosterError('unsupported_media_type', `A ${method} here accepts ${types.join(' or ')}.${hint}`));
  };
}

const formTypes = new Set(['', 'text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']);

/** A form of any page can send these. */
export function isSentByForms(headers: IncomingHttpHeaders): boolean {
  return formTypes.has(mediaTypeOf(headers));
}

function mediaTypeOf({ 'content-type': type = '' }: IncomingHttpHeaders): string {
  const [essence = ''] = type.split(';', 1);
  return essence.trim().toLowerCase();
}

/** Throws `unsupported_media_type` for a CSV file without a header (RFC 4180, section 3). */
export function fileTypeOf({ 'content-type': type }: IncomingHttpHeaders): {
  mediaType: string;
  charset: string | undefined;
} {
  if (type === undefined) return { mediaType: '', charset: undefined };
  const { essence, params } = new MIMEType(type);
  if (params.get('header')?.toLowerCase() === 'absent')
    throw new RosterError('unsupported_media_type', 'A CSV file needs a header, which names its columns.');
  return { mediaType: essence, charset: params.get('charset') ?? undefined };
}

export function announcesBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

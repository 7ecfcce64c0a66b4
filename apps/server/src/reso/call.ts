import type { Caller, Context } from '@roster/api/server';
import type { QueryOptions } from '@roster/odata';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Preferences } from './preferences.ts';

/** One request of the RESO Web API. */
export interface ResoCall {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The context of the procedures that it calls. */
  context: Context & { caller: Caller };
  preferences: Preferences;
  options: QueryOptions;
  /** The URL of the service root, without a slash at the end. */
  root: string;
  /** The time of the request, which is `now()`. A link to a next page has it, so that all pages are of one list. */
  now: Date;
}

/** The media type of responses. */
export const JSON_TYPE = 'application/json;odata.metadata=minimal;IEEE754Compatible=false;charset=utf-8';

/** What a handler answers: a body with its status and headers. */
export interface ResoAnswer {
  status?: number;
  body?: unknown;
  type?: string;
  headers?: Record<string, string>;
}

/** The URL of one entity, such as `https://…/reso/Member('…')`. */
export function entityUrl({ root }: Pick<ResoCall, 'root'>, set: string, key: unknown): string {
  const quoted = encodeURIComponent(String(key).replaceAll("'", "''"));
  return `${root}/${set}('${quoted}')`;
}

/** The context URL of a response (OData JSON format, section 4.6.4), with the names of `$select`. */
export function contextUrl(
  { root, options }: Pick<ResoCall, 'root' | 'options'>,
  set: string,
  isEntity = false,
): string {
  const names = options.select?.map(({ name }) => name).join();
  return `${root}/$metadata#${set}${names === undefined ? '' : `(${names})`}${isEntity ? '/$entity' : ''}`;
}

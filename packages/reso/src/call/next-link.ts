import { invalidParameter } from '@roster/api';
import type { ResoRequest } from '../protocol/service.ts';
import type { ResoCall } from './call.ts';

/** The beginning of a page: the cursor of the page before, and the time that `now()` was for it. */
export interface SkipToken {
  cursor: string;
  now: Date;
}

/** The options that a link to a next page has anew, or no more: the total is that of the first page. */
const replaced = ['$skiptoken', '$skip', '$top', '$count'];

/** The query options of a request by their names with `$`. */
function optionsOf({ query }: ResoRequest): Record<string, string> {
  const entries = Object.entries(query);
  return Object.fromEntries(
    entries.map(([name, [value = '']]) => [name.startsWith('$') ? name : `$${name}`, value]),
  );
}

interface NextPage {
  /** The path under the service root. */
  path: string;
  /** The query options of the page before. */
  parameters: Readonly<Record<string, string>>;
  cursor: string;
  /** The rest of `$top`. */
  remaining?: number | undefined;
}

/** The link to the page after a cursor. */
export function nextLinkOf(
  { request, now }: Pick<ResoCall, 'request' | 'now'>,
  { path, parameters, cursor, remaining }: NextPage,
): string {
  const kept = Object.entries(parameters).filter(([name]) => !replaced.includes(name.toLowerCase()));
  const all = [
    ...kept,
    ...(remaining === undefined ? [] : [['$top', String(remaining)] as const]),
    ['$skiptoken', `${now.getTime()}~${cursor}`] as const,
  ];
  return `${request.root}/${path}?${all.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/**
 * The link to the page after this one, as a member of its body: none if no cursor leads on, or `$top` is reached.
 *
 * @param shown how many entities this page has
 */
export function nextPageLink(
  call: Pick<ResoCall, 'now' | 'request' | 'options'>,
  { path, cursor, shown }: { path: string; cursor: string | undefined; shown: number },
): { '@odata.nextLink'?: string } {
  const { top } = call.options;
  const remaining = top === undefined ? undefined : top - shown;
  if (cursor === undefined || remaining === 0) return {};
  const parameters = optionsOf(call.request);
  return { '@odata.nextLink': nextLinkOf(call, { path, parameters, cursor, remaining }) };
}

/** The error of a `$skiptoken` that is none of ours. */
export const invalidSkipToken = () =>
  invalidParameter('$skiptoken', 'invalid_format', 'must be as a link to a next page has it');

/** Reads a `$skiptoken`. Throws `invalid_parameter` for what is none of ours. */
export function parseSkipToken(token: string | undefined): SkipToken | undefined {
  if (token === undefined) return undefined;
  const [, time, cursor] = /^(\d{1,15})~([\w~-]{1,2000})$/.exec(token) ?? [];
  if (cursor === undefined) throw invalidSkipToken();
  return { cursor, now: new Date(Number(time)) };
}

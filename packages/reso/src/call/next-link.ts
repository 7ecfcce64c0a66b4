import { invalidParameter } from '@roster/api';
import type { ResoRequest } from '../protocol/service.ts';
import type { ResoCall } from './call.ts';

export interface SkipToken {
  cursor: string;
  now: Date;
}

/** Options that a next link sets anew or drops: the total is that of the first page. */
const replaced = ['$skiptoken', '$skip', '$top', '$count'];

function optionsOf({ query }: ResoRequest): Record<string, string> {
  const entries = Object.entries(query);
  return Object.fromEntries(
    entries.map(([name, [value = '']]) => [name.startsWith('$') ? name : `$${name}`, value]),
  );
}

interface NextPage {
  path: string;
  parameters: Readonly<Record<string, string>>;
  cursor: string;
  remaining?: number | undefined;
}

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

/** None without a cursor, or when `$top` is reached after `shown` entities. */
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

export const invalidSkipToken = () =>
  invalidParameter('$skiptoken', 'invalid_format', 'must be as a link to a next page has it');

/** Throws `invalid_parameter`. */
export function parseSkipToken(token: string | undefined): SkipToken | undefined {
  if (token === undefined) return undefined;
  const [, time, cursor] = /^(\d{1,15})~([\w~-]{1,2000})$/.exec(token) ?? [];
  if (cursor === undefined) throw invalidSkipToken();
  return { cursor, now: new Date(Number(time)) };
}

import { invalidParameter } from '@roster/api';
import type { QueryOptions } from '@roster/odata';
import type { ResoResource } from '../fields/fields.ts';
import type { Preferences } from '../protocol/preferences.ts';
import type { ResoRequest, Service } from '../protocol/service.ts';

export interface ResoCall {
  request: ResoRequest;
  service: Service;
  resources: ReadonlyMap<string, ResoResource>;
  preferences: Preferences;
  options: QueryOptions;
  /** The value of `now()`. Next links contain it, so that all pages belong to one list. */
  now: Date;
}

export function entityUrl({ request }: Pick<ResoCall, 'request'>, set: string, key: unknown): string {
  const quoted = encodeURIComponent(String(key).replaceAll("'", "''"));
  return `${request.root}/${set}('${quoted}')`;
}

/** OData JSON format, section 4.6.4. */
export function contextUrl(
  { request, options }: Pick<ResoCall, 'request' | 'options'>,
  set: string,
  isEntity = false,
): string {
  const names = options.select?.map(({ name }) => name).join();
  return `${request.root}/$metadata#${set}${names === undefined ? '' : `(${names})`}${isEntity ? '/$entity' : ''}`;
}

/** Weak, and the same in every form of a record (OData 4.01, part 1, section 8.3.1). */
export function entityTag(version: unknown): string {
  return `W/"${version}"`;
}

interface SkipToken {
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

const ofSets = ['filter', 'orderBy', 'top', 'skip', 'count', 'skipToken'] as const;

/** Throws `invalid_parameter` for options that only sets have. */
export function checkEntityOptions({ options }: Pick<ResoCall, 'options'>): void {
  const found = ofSets.find((name) => options[name] !== undefined);
  if (found !== undefined)
    throw invalidParameter(`$${found.toLowerCase()}`, 'not_allowed', 'is not an option of one entity');
}

/** Throws `invalid_parameter` for any other option; `what` is the subject of the message. */
export function rejectOptionsBut(
  only: 'filter' | 'format',
  { options }: Pick<ResoCall, 'options'>,
  what: string,
): void {
  const found = Object.keys(options).find((name) => name !== only);
  if (found !== undefined)
    throw invalidParameter(`$${found.toLowerCase()}`, 'not_allowed', `is not an option of ${what}`);
}

/** Throws `invalid_parameter` for `$skip` with `$skiptoken`. */
export function checkSkip({ options: { skip, skipToken } }: Pick<ResoCall, 'options'>): void {
  if (skip === undefined || skipToken === undefined) return;
  throw invalidParameter(
    '$skip',
    'not_allowed',
    'is for the first page: $skiptoken says where this one begins',
  );
}

/** Throws `invalid_parameter`; `what` is the subject of the message. */
export function rejectExpand({ options }: Pick<ResoCall, 'options'>, what: string): void {
  if (options.expand !== undefined)
    throw invalidParameter('$expand', 'not_supported', `is not an option of ${what}`);
}

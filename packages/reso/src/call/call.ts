import type { QueryOptions } from '@roster/odata';
import type { ResoResource } from '../fields/fields.ts';
import type { Preferences } from '../protocol/preferences.ts';
import type { ResoRequest, Service } from '../protocol/service.ts';

/** One request of the RESO Web API. */
export interface ResoCall {
  request: ResoRequest;
  /** The service that it reads and changes. */
  service: Service;
  /** The entity sets of resources, by their names. */
  resources: ReadonlyMap<string, ResoResource>;
  preferences: Preferences;
  options: QueryOptions;
  /** The time of the request, which is `now()`. A link to a next page has it, so that all pages are of one list. */
  now: Date;
}

/** The URL of one entity, such as `https://…/reso/Member('…')`. */
export function entityUrl({ request }: Pick<ResoCall, 'request'>, set: string, key: unknown): string {
  const quoted = encodeURIComponent(String(key).replaceAll("'", "''"));
  return `${request.root}/${set}('${quoted}')`;
}

/** The context URL of a response (OData JSON format, section 4.6.4), with the names of `$select`. */
export function contextUrl(
  { request, options }: Pick<ResoCall, 'request' | 'options'>,
  set: string,
  isEntity = false,
): string {
  const names = options.select?.map(({ name }) => name).join();
  return `${request.root}/$metadata#${set}${names === undefined ? '' : `(${names})`}${isEntity ? '/$entity' : ''}`;
}

/** The weak entity tag of a version of a record, which it has in each form that the Web API shows (OData 4.01, part 1, section 8.3.1). */
export function entityTag(version: unknown): string {
  return `W/"${version}"`;
}

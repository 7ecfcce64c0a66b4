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

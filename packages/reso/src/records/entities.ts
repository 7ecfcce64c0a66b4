import { RosterError } from '@roster/api';
import type { Condition } from '@roster/api/query';
import { checkEntityOptions, contextUrl, entityTag, entityUrl, type ResoCall } from '../call/call.ts';
import { type ResoResource, selectedFields } from '../fields/fields.ts';
import type { ResoResponse } from '../protocol/service.ts';
import { checkedExpansions, expand } from './expansions.ts';
import { findRecord } from './find-records.ts';
import { readSet } from './read-records.ts';
import { shownRecord, valueAt } from './shown-record.ts';

export async function readEntity(call: ResoCall, resource: ResoResource, key: string): Promise<ResoResponse> {
  checkEntityOptions(call);
  // First, because these errors don't depend on the record.
  const selected = selectedFields(resource.fields, call.options.select);
  const expansions = checkedExpansions(call, resource, call.options.expand);
  const record = await findRecord(call, resource, key);
  const tag = entityTag(record.version);
  const shown = shownRecord(record, selected, call);
  await expand(call, { items: [record], shown: [shown], expansions });
  // Expanded entities change without a new version of the record.
  const headers: Record<string, string> = expansions.length > 0 ? {} : { ETag: tag };
  return { body: entityBody(call, resource, shown, record), headers };
}

export function entityBody(
  call: Pick<ResoCall, 'request' | 'options'>,
  { name }: ResoResource,
  shown: Record<string, unknown>,
  { id }: Record<string, unknown>,
): Record<string, unknown> {
  const url = entityUrl(call, name, id);
  return {
    '@odata.context': contextUrl(call, name, true),
    '@odata.id': url,
    '@odata.editLink': url,
    ...shown,
  };
}

/** 204 for none. */
export async function readNavigation(
  call: ResoCall,
  resource: ResoResource,
  { key, property }: { key: string; property: string },
): Promise<ResoResponse> {
  const navigation = resource.navigation.find(({ name }) => name === property);
  const target = call.resources.get(navigation?.target ?? '');
  if (navigation === undefined || target === undefined) throw new RosterError('no_such_route');
  const record = await findRecord(call, resource, key);
  if (!navigation.isCollection) {
    checkEntityOptions(call);
    const id = valueAt(record, navigation.path);
    return typeof id === 'string' ? readEntity(call, target, id) : { status: 204 };
  }
  const path = `${resource.name}('${record.id}')/${property}`;
  const within: Condition = {
    kind: 'compare',
    field: navigation.path,
    comparison: 'eq',
    value: String(record.id),
  };
  return readSet(call, target, { path, within });
}

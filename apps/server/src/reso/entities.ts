import { RosterError } from '@roster/api';
import { valueAt } from '@roster/api/query';
import type { Condition } from '@roster/api/server';
import { weakRecordTag } from '../http/etag.ts';
import { contextUrl, entityUrl, type ResoAnswer, type ResoCall } from './call.ts';
import { optionError } from './errors.ts';
import { checkedExpansions, expand } from './expansions.ts';
import { findRecords } from './find-records.ts';
import { readSet } from './read-records.ts';
import { shownRecord } from './records.ts';
import { type ResoResource, resources } from './resources.ts';
import { selectedFields } from './selection.ts';

/** Options that are for sets alone. */
const ofSets = ['filter', 'orderBy', 'top', 'skip', 'count', 'skipToken'] as const;

/** Throws `invalid_parameter` for options that one entity does not have. */
export function checkEntityOptions({ options }: Pick<ResoCall, 'options'>): void {
  const found = ofSets.find((name) => options[name] !== undefined);
  if (found !== undefined)
    throw optionError(`$${found.toLowerCase()}`, 'not_allowed', 'is not an option of one entity');
}

/** Reads one record by its key. Throws `not_found`, also for one that the caller may not see. */
async function findRecord(
  { context }: Pick<ResoCall, 'context'>,
  { name, resource }: ResoResource,
  key: string,
): Promise<Record<string, unknown>> {
  const where: Condition = { kind: 'compare', field: 'id', comparison: 'eq', value: key.toLowerCase() };
  const { items } = await findRecords({ context }, { resource, where, orderBy: [], limit: 1 });
  const [record] = items;
  if (record === undefined)
    throw new RosterError('not_found', `No ${name} has the key ${key.slice(0, 100)}.`);
  return record;
}

/** One record by its key. */
export async function readEntity(call: ResoCall, resource: ResoResource, key: string): Promise<ResoAnswer> {
  checkEntityOptions(call);
  // Checked first: what is wrong with a request does not depend on the record.
  const selected = selectedFields(resource.fields, call.options.select);
  const expansions = checkedExpansions(resource, call.options.expand);
  const record = await findRecord(call, resource, key);
  const tag = weakRecordTag(Number(record.version));
  const shown = shownRecord(record, selected, call);
  await expand(call, { items: [record], shown: [shown], expansions });
  // What is expanded changes without a new version of the record.
  const headers: Record<string, string> = expansions.length > 0 ? {} : { ETag: tag };
  return { body: entityBody(call, resource, shown, record), headers };
}

/** The body of one entity, with the URLs that it is read and changed at. */
export function entityBody(
  call: Pick<ResoCall, 'root' | 'options'>,
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

/** What a navigation property of one record leads to: a set, an entity, or 204 for none. */
export async function readNavigation(
  call: ResoCall,
  resource: ResoResource,
  { key, property }: { key: string; property: string },
): Promise<ResoAnswer> {
  const navigation = resource.navigation.find(({ name }) => name === property);
  if (navigation === undefined) throw new RosterError('no_such_route');
  const record = await findRecord(call, resource, key);
  const target = resources[navigation.target];
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

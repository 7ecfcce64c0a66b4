import { RosterError } from '@roster/api';
import type { Condition, RecordQuery, RecordQueryPage } from '@roster/api/query';
import type { ResoCall } from '../call/call.ts';
import type { ResoResource } from '../fields/fields.ts';
import { noSuchEntity, withErrors } from '../protocol/errors.ts';

const options: Readonly<Record<string, string>> = { where: '$filter', orderBy: '$orderby', skip: '$skip' };

export async function findRecords(
  { service }: Pick<ResoCall, 'service'>,
  query: RecordQuery,
): Promise<RecordQueryPage> {
  try {
    return await service.findRecords(query);
  } catch (error) {
    if (!(error instanceof RosterError) || error.errors === undefined) throw error;
    const errors = error.errors.map(({ parameter = '', ...rest }) => ({
      ...rest,
      parameter: options[parameter] ?? parameter,
    }));
    throw withErrors(error, errors);
  }
}

async function missingError(
  { service }: Pick<ResoCall, 'service'>,
  { name, resource }: ResoResource,
  key: string,
): Promise<RosterError> {
  const missing = noSuchEntity(name, key);
  // Only the procedure knows about merges, and only for IDs.
  return service.query(`${resource}.get`, { id: key }).then(
    () => missing,
    (error: unknown) =>
      error instanceof RosterError && error.errorCode === 'record_merged' ? error : missing,
  );
}

/** Throws `not_found`, also out of the limit, and `record_merged`. */
export async function findRecord(
  call: Pick<ResoCall, 'service'>,
  set: ResoResource,
  key: string,
): Promise<Record<string, unknown>> {
  const { resource } = set;
  const where: Condition = { kind: 'compare', field: 'id', comparison: 'eq', value: key.toLowerCase() };
  const { items } = await findRecords(call, { resource, where, orderBy: [], limit: 1 });
  const [record] = items;
  if (record === undefined) throw await missingError(call, set, key);
  return record;
}

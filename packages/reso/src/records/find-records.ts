import { RosterError } from '@roster/api';
import type { Condition, RecordQuery, RecordQueryPage } from '@roster/api/query';
import type { ResoCall } from '../call/call.ts';
import type { ResoResource } from '../fields/fields.ts';
import { noSuchEntity, withErrors } from '../protocol/errors.ts';

/** The query options that a query of records is made of, by its parameters. */
const options: Readonly<Record<string, string>> = { where: '$filter', orderBy: '$orderby', skip: '$skip' };

/** A page of records. What is wrong with the query is reported by the names of the query options. */
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

/** The error for a record that is not there: `record_merged` if it was merged into another one, which it names. */
async function missingError(
  { service }: Pick<ResoCall, 'service'>,
  { name, resource }: ResoResource,
  key: string,
): Promise<RosterError> {
  const missing = noSuchEntity(name, key);
  // The procedure knows what became of it; of another key than an id it knows nothing.
  return service.query(`${resource}.get`, { id: key }).then(
    () => missing,
    (error: unknown) =>
      error instanceof RosterError && error.errorCode === 'record_merged' ? error : missing,
  );
}

/** Reads one record by its key. Throws `not_found`, also for one that the caller may not see, and `record_merged`. */
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

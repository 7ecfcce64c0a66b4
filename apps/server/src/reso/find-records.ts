import { RosterError } from '@roster/api';
import { queryRecords } from '@roster/api/query';
import type { RecordQuery, RecordQueryPage } from '@roster/api/server';
import type { ResoCall } from './call.ts';
import { withErrors } from './errors.ts';

/** The query options of what a query of records may find wrong. */
const options: Readonly<Record<string, string>> = { where: '$filter', orderBy: '$orderby', skip: '$skip' };

/** A page of records. What is wrong with the query is reported by the names of the query options. */
export async function findRecords(
  { context }: Pick<ResoCall, 'context'>,
  query: RecordQuery,
): Promise<RecordQueryPage> {
  try {
    return await queryRecords(context, query);
  } catch (error) {
    if (!(error instanceof RosterError) || error.errors === undefined) throw error;
    const errors = error.errors.map(({ parameter = '', ...rest }) => ({
      ...rest,
      parameter: options[parameter] ?? parameter,
    }));
    throw withErrors(error, errors);
  }
}

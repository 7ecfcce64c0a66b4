import { compileOnce, type Database } from '@roster/db';
import type { AbortableQueryOptions, Kysely, RawBuilder } from 'kysely';

/** Makes the function that runs a statement, which always returns one row. */
export function oneRowOf<Row>(select: RawBuilder<Row>) {
  const statement = compileOnce<object, Row>(() => select, { isReadOnly: true });
  return async (db: Kysely<Database>, options?: AbortableQueryOptions): Promise<Row> => {
    const [row] = await statement.execute(db, {}, options);
    if (row === undefined) throw new Error('a statement about what waits has no row');
    return row;
  };
}

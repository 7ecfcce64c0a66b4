import { records } from '../../../db/src/repeatable/records.ts';
import { definitions } from '../../src/directory/registry.ts';
import { recordStatements } from '../../src/engine/json/record-sql.ts';

/**
 * Vitest's global setup: fails at once if a field was added and the statements that build its JSON were not generated, instead of in
 * every test that reads a record.
 */
export default function requireGenerated(): void {
  for (const source of definitions) {
    const { version, statements } = records[source.table] ?? { version: 1, statements: [] };
    if (recordStatements(source, version).join(';') !== statements.join(';'))
      throw new Error(
        `packages/db/src/repeatable/records.ts is stale for the table ${source.table}: run \`npm run generate\`.`,
      );
  }
}

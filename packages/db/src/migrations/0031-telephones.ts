import type { Kysely } from 'kysely';
import { buildIndex } from './concurrent-index.ts';

export const isConcurrent = true;

/** The last seven digits of a telephone in any form, without an extension. */
const endOf = (column: string) =>
  `right(regexp_replace(substring(${column} from '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g'), 7)`;

/** Offices and agents by the ends of their telephones: a search for a number finds it in whatever form it is stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const ends = (columns: string[]) => `using gin ((array[${columns.map(endOf).join(', ')}]))`;
  await buildIndex(db, 'office_telephone_idx', `office ${ends(['phone', 'fax'])}`);
  const ofAgents = ['phone', 'mobile_phone', 'direct_phone', 'fax'];
  await buildIndex(db, 'agent_telephone_idx', `agent ${ends(ofAgents)}`);
}

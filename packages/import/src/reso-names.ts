import { resoNames as agents } from './agents/reso-names.ts';
import { resoNames as offices } from './offices/reso-names.ts';
import { resoNames as teams } from './teams/reso-names.ts';

/** Names of the RESO Data Dictionary 2.0 and their fields, of the resources that it has. `row-record.ts` converts the keys. */
export const resoNames = { offices, agents, teams } satisfies Record<
  string,
  Readonly<Record<string, string>>
>;

import type { ResourceName } from '@roster/client';
import { resoNames as agents } from './agents/reso-names.ts';
import { resoNames as offices } from './offices/reso-names.ts';

/** Names of the RESO Data Dictionary 2.0 and their fields, by resource. `row-record.ts` converts the keys. */
export const resoNames: Readonly<Record<ResourceName, Readonly<Record<string, string>>>> = {
  offices,
  agents,
};

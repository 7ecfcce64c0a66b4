import type { ImportableProperties } from '../importable-properties.ts';
import { resoNames } from './reso-names.ts';
import { synonyms } from './synonyms.ts';

/** How offices are imported. */
export const offices: ImportableProperties = {
  name: 'offices',
  singular: 'office',
  officeId: 'mainOfficeId',
  officeSource: 'mainOfficeSource',
  officeText: 'the main office',
  isTree: true,
  agentIds: ['brokerAgentId', 'managerAgentId'],
  isEmailUnique: false,
  requiredFields: ['name', 'mainOfficeId'],
  synonyms,
  resoNames,
};

import type { ImportableProperties } from '../importable-properties.ts';
import { resoNames } from './reso-names.ts';
import { synonyms } from './synonyms.ts';

/** How agents are imported. */
export const agents: ImportableProperties = {
  name: 'agents',
  singular: 'agent',
  officeId: 'officeId',
  officeSource: 'officeSource',
  officeText: 'the office the agent works in',
  officeName: 'officeName',
  isTree: false,
  agentIds: ['assistantToAgentId'],
  isEmailUnique: true,
  requiredFields: ['firstName', 'lastName', 'officeId'],
  synonyms,
  resoNames,
};

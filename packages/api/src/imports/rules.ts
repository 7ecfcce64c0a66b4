import type { ResourceName } from '../directory/registry.ts';

export interface ImportRules {
  officeNames?: Record<string, 'source' | 'sourceKey' | 'name'>;
  /** The field with affiliations: their offices must exist, and be active if the affiliation is new. */
  affiliationsField?: string;
  /** The list whose items can be rows of a file, and the fields that identify their record other than by ID. */
  itemRows?: { field: string; names: Readonly<Record<string, 'source' | 'email'>> };
}

export const importRules: Readonly<Record<ResourceName, ImportRules>> = {
  offices: {
    officeNames: { mainOfficeSource: 'source', mainOfficeSourceKey: 'sourceKey' },
  },
  agents: {
    officeNames: { officeSource: 'source', officeSourceKey: 'sourceKey', officeName: 'name' },
    affiliationsField: 'affiliations',
  },
  teams: {
    officeNames: { officeSource: 'source', officeSourceKey: 'sourceKey', officeName: 'name' },
    itemRows: { field: 'members', names: { agentSource: 'source', agentEmail: 'email' } },
  },
};

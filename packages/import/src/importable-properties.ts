import type { ResourceName } from '@roster/client';

/** The properties in which the imports of resources differ. */
export interface ImportableProperties {
  name: ResourceName;
  singular: string;
  /** The field with the id of an office, the one with its source, and what that office is. */
  officeId: string;
  officeSource: string;
  officeText: string;
  /** The field with the name of the office, if there is one. */
  officeName?: string;
  /** Whether the office is a record of the same resource: then the upper ones are sent first. */
  isTree: boolean;
  /** Fields with ids of agents. */
  agentIds: readonly string[];
  /** Whether e-mail addresses are unique. */
  isEmailUnique: boolean;
  /** The fields that a new record needs, and what it needs the office for; an existing one has them already. */
  requiredFields: readonly string[];
  /** Names of its fields in spreadsheets, besides those that all records have, and in the RESO Data Dictionary. */
  synonyms: Readonly<Record<string, readonly string[]>>;
  resoNames: Readonly<Record<string, string>>;
}

import type { ResourceDefinition } from './definition.ts';
import { member } from './member.ts';
import { office } from './office.ts';
import { teamMembers, teams } from './teams.ts';

export const definitions: readonly ResourceDefinition[] = [member, office, teams, teamMembers];

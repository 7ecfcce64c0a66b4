import type { ResourceDefinition } from './definition.ts';
import { member } from './member.ts';
import { office } from './office.ts';
import { teamMembers } from './team-members.ts';
import { teams } from './teams.ts';

export const definitions: readonly ResourceDefinition[] = [member, office, teams, teamMembers];

import type { z } from 'zod';
import { list } from '../../engine/fields/field.ts';
import { importedMetadata, officeNameOf, sourceKeyOf, sourceOf } from '../../engine/fields/imported.ts';
import { importedMember } from './members.ts';
import { membersDocs, NewTeam } from './schemas.ts';

export const ImportedTeam = NewTeam.extend({
  metadata: importedMetadata,
  members: list(importedMember, membersDocs).input.optional(),
  officeSource: sourceOf('The office the team belongs to'),
  officeSourceKey: sourceKeyOf('The office the team belongs to'),
  officeName: officeNameOf('The office the team belongs to'),
}).meta({
  id: 'ImportedTeam',
  description: 'A team to import: a new team, or the known fields of an existing one',
  example: { name: 'Equipa Ribeira', source: { name: 'MLS Lisboa', key: 'TEAM-0007' } },
});
export type ImportedTeam = z.input<typeof ImportedTeam>;

import type { z } from 'zod';
import { list, text } from '../resources/fields/field.ts';
import { importedMetadata, sourceKeyOf, sourceOf } from '../resources/fields/imported.ts';
import { importedMember } from './members.ts';
import { membersDocs, NewTeam } from './schemas.ts';

export const ImportedTeam = NewTeam.extend({
  metadata: importedMetadata,
  members: list(importedMember, membersDocs).input.optional(),
  officeSource: sourceOf('The office the team belongs to'),
  officeSourceKey: sourceKeyOf('The office the team belongs to'),
  officeName: text(
    { lengthMax: 255 },
    {
      description: 'The office the team belongs to, by a name that one office alone has, ignoring case',
      example: null,
    },
  ).input.optional(),
}).meta({
  id: 'ImportedTeam',
  description: 'A team to import: one to create, or what is known of it',
  example: { name: 'Equipa Ribeira', source: { name: 'MLS Lisboa', key: 'TEAM-0007' } },
});
export type ImportedTeam = z.input<typeof ImportedTeam>;

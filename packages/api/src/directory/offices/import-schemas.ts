import type { z } from 'zod';
import { importedMetadata, sourceKeyOf, sourceOf } from '../../engine/fields/imported.ts';
import { NewOffice } from './schemas.ts';

export const ImportedOffice = NewOffice.extend({
  metadata: importedMetadata,
  mainOfficeSource: sourceOf('The main office, existing or in the same call'),
  mainOfficeSourceKey: sourceKeyOf('The main office, existing or in the same call'),
}).meta({
  id: 'ImportedOffice',
  description: 'An office to import: a new office, or the known fields of an existing one',
  example: { name: 'Atlântico Lisboa', source: { name: 'MLS Lisboa', key: 'OFF-0042' } },
});
export type ImportedOffice = z.input<typeof ImportedOffice>;

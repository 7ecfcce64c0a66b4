import type { z } from 'zod';
import { importedMetadata, officeNameOf, sourceKeyOf, sourceOf } from '../../engine/fields/imported.ts';
import { writtenAgent } from './schemas.ts';

export const ImportedAgent = writtenAgent
  .extend({
    metadata: importedMetadata,
    officeSource: sourceOf('The office the agent works in'),
    officeSourceKey: sourceKeyOf('The office the agent works in'),
    officeName: officeNameOf('The office the agent works in'),
  })
  .meta({
    id: 'ImportedAgent',
    description: 'An agent to import: a new agent, or the known fields of an existing one',
    example: {
      firstName: 'Ana',
      lastName: 'Figueiredo',
      source: { name: 'MLS Lisboa', key: 'AGT-0007' },
    },
  });
export type ImportedAgent = z.input<typeof ImportedAgent>;

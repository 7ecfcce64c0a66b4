import { text } from './field.ts';
import { recordFields } from './schemas.ts';

/** Imports identify an office by its source too, so that files need no IDs of the service. */

export const sourceOf = (what: string) =>
  recordFields.source.input.optional().meta({
    description: `${what}, by its source, instead of the ID`,
    example: null,
  });

export const sourceKeyOf = (what: string) =>
  text(
    { lengthMax: 255 },
    {
      description: `${what}, by its key in the same source, instead of the ID`,
      example: null,
    },
  ).input.optional();

export const officeNameOf = (what: string) =>
  text(
    { lengthMax: 255 },
    {
      description: `${what}, by its unique name, ignoring case, instead of the ID`,
      example: null,
    },
  ).input.optional();

/** As in a merge patch, null removes a pair. */
export const importedMetadata = recordFields.metadata.patch.optional();

import { text } from './field.ts';
import { recordFields } from './schemas.ts';

/**
 * The fields in which an imported record says more, or in another way, than one to create. An office can be named by its source, so
 * that a file needs no ids of the service.
 */

/** A field that names an office by where it came from. */
export const sourceOf = (what: string) =>
  recordFields.source.input.optional().meta({
    description: `${what}, by its source, instead of the ID`,
    example: null,
  });

/** A field that names an office by its key in the source of the record. */
export const sourceKeyOf = (what: string) =>
  text(
    { lengthMax: 255 },
    {
      description: `${what}, by its key in the same source, instead of the ID`,
      example: null,
    },
  ).input.optional();

/** A field that names an office by its name. */
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

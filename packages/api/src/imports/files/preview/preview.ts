import { findDefaultCountry } from '../../../engine/write/telephone-countries.ts';
import { chooseNames } from '../../../identity/access/scopes.ts';
import type { RecordContext } from '../../../records/settings.ts';
import { EncodingGuess, encodingOf } from '../encoding.ts';
import { previewPhones } from './phone-countries.ts';
import { type ImportPreview, type ImportPreviewQuery, PREVIEW_MAX_BYTES } from './schemas.ts';

/**
 * Tells by the beginning of a file how it would be read, and what its columns are taken for. Keeps nothing of it.
 * Throws `validation_failed` if it has no header or the mapping names an unknown field, `insufficient_scope`.
 */
export async function previewFile(
  ctx: RecordContext,
  { beginning, resource, encoding: given, ...options }: ImportPreviewQuery,
): Promise<ImportPreview> {
  const resources = chooseNames(ctx.caller, resource && [resource], 'write').toSorted();
  const formats = await import('../formats.ts');
  const bytes = Buffer.from(beginning, 'base64');
  formats.checkIsText(bytes);
  const isCut = bytes.length >= PREVIEW_MAX_BYTES;
  const named = given === undefined ? formats.findEncoding(bytes) : encodingOf(given);
  const guess = new EncodingGuess({ isNamed: false });
  if (named === undefined) guess.add(bytes, !isCut);
  const encoding = named ?? guess.encoding;
  // Bytes that a given encoding does not have are shown as the sign for what cannot be read.
  const text = Buffer.from(new TextDecoder(encoding).decode(bytes, { stream: true }));
  const country = ctx.settings.defaultCountry ?? (await findDefaultCountry(ctx.db)) ?? undefined;
  const found = await formats.previewOf(resources, text, { ...options, isCut, country });
  const preview = { ...found, encoding } as Omit<ImportPreview, 'phones'>;
  const { mapping } = options;
  return { ...preview, phones: await previewPhones(ctx, { text, isCut, mapping, preview }) };
}

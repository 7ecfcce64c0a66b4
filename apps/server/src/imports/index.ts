import type { FileFormats } from '@roster/api/server';

/** Loads what reads the files of imports, with the first of them: most processes of a server read none. */
export async function loadFileFormats(): Promise<FileFormats> {
  const { fileFormats } = await import('./file-formats.ts');
  return fileFormats;
}

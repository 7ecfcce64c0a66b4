import { open } from 'node:fs/promises';

/** Puts the names in a directory on disk, so that after a power cut a file in it has its own. Throws what the system says. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

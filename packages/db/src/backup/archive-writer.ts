import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createTarPacker } from 'modern-tar';
import { CHECKSUMS, DIRECTORY } from './format.ts';

/** A tar archive that is being written; the checksums of all files are its last file. */
export interface ArchiveWriter {
  /** The bytes of the archive. Writing waits until they are read. */
  bytes: Readable;
  /** Adds a file; resolves when the next can be added. */
  add(name: string, data: Uint8Array): Promise<void>;
  /** Writes the checksums and ends the archive. */
  finish(): Promise<void>;
  /** Ends `bytes` with an error. */
  fail(error: unknown): void;
}

/** Starts an archive whose files have mode 0600 and the time of the snapshot. */
export function createArchive(takenAt: Date): ArchiveWriter {
  const { readable, controller } = createTarPacker();
  const checksums: string[] = [];
  const write = async (name: string, data: Uint8Array) => {
    const header = { name: `${DIRECTORY}/${name}`, size: data.length, mode: 0o600, mtime: takenAt };
    const body = controller.add({ ...header, type: 'file' }).getWriter();
    await body.write(data);
    await body.close();
  };
  return {
    bytes: Readable.from(readable),
    async add(name, data) {
      checksums.push(`${createHash('sha256').update(data).digest('hex')}  ${name}\n`);
      await write(name, data);
    },
    async finish() {
      await write(CHECKSUMS, Buffer.from(checksums.join('')));
      controller.finalize();
    },
    fail: (error) => controller.error(error),
  };
}

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createTarPacker } from 'modern-tar';
import { DIRECTORY, SUMS } from './format.ts';

/** A tar being written: entries in their order, the sums of all of them last. */
export interface ArchiveWriter {
  /** The bytes of the tar. Whoever stops reading it stops the writing. */
  bytes: Readable;
  /** Adds a file; resolves when there is room for the next. */
  add(name: string, data: Uint8Array): Promise<void>;
  /** Writes the sums and ends the tar. */
  finish(): Promise<void>;
  /** Gives up: the reader of `bytes` gets this error. */
  fail(error: unknown): void;
}

/** Begins a tar whose files all have one moment and one owner, who alone may read them. */
export function createArchive(takenAt: Date): ArchiveWriter {
  const { readable, controller } = createTarPacker();
  const sums: string[] = [];
  const write = async (name: string, data: Uint8Array) => {
    const header = { name: `${DIRECTORY}/${name}`, size: data.length, mode: 0o600, mtime: takenAt };
    const body = controller.add({ ...header, type: 'file' }).getWriter();
    await body.write(data);
    await body.close();
  };
  return {
    bytes: Readable.from(readable),
    async add(name, data) {
      sums.push(`${createHash('sha256').update(data).digest('hex')}  ${name}\n`);
      await write(name, data);
    },
    async finish() {
      await write(SUMS, Buffer.from(sums.join('')));
      controller.finalize();
    },
    fail: (error) => controller.error(error),
  };
}

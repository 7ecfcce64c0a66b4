import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar';
import { type BackupOptions, createBackup } from '../backup/create-backup.ts';

/** Creates a backup in memory. */
export async function makeBackup(connection: BackupOptions['connection']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const target = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await createBackup({ connection, target });
  return Buffer.concat(chunks);
}

interface Change {
  /** The end of the file's name. */
  file: string;
  /** Returns the changed text of the file. */
  edit: (text: string) => string;
  /** Whether to update the checksums too. */
  withChecksums: boolean;
}

/** A copy of a backup with one file changed. */
export async function withChangedFile(
  backup: Buffer,
  { file, edit, withChecksums }: Change,
): Promise<Buffer> {
  const entries = await unpackTar(zstdDecompressSync(backup));
  const files = entries.map(({ header, data }) => {
    const text = Buffer.from(data ?? []).toString('utf8');
    return { name: header.name, body: Buffer.from(header.name.endsWith(file) ? edit(text) : text) };
  });
  const checksums = files
    .filter(({ name }) => !name.endsWith('SHA256SUMS'))
    .map(
      ({ name, body }) =>
        `${createHash('sha256').update(body).digest('hex')}  ${name.replace(/^[^/]+\//, '')}\n`,
    );
  const tar = await packTar(
    files.map(({ name, body }) => {
      const content = withChecksums && name.endsWith('SHA256SUMS') ? Buffer.from(checksums.join('')) : body;
      return { header: { name, size: content.length, type: 'file' as const }, body: content };
    }),
  );
  return zstdCompressSync(tar);
}

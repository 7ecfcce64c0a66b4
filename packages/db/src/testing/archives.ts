import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar';
import { type BackupOptions, takeBackup } from '../backup/index.ts';

/** A backup in memory. */
export async function backupOf(connection: BackupOptions['connection']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const target = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await takeBackup({ connection, target });
  return Buffer.concat(chunks);
}

interface Change {
  /** The end of the file's name, and what becomes of its text. */
  file: string;
  edit: (text: string) => string;
  /** Whether the sums are those of the changed text, as a careful hand would leave them. */
  withSums: boolean;
}

/** The same backup with one file changed. */
export async function changed(backup: Buffer, { file, edit, withSums }: Change): Promise<Buffer> {
  const entries = await unpackTar(zstdDecompressSync(backup));
  const files = entries.map(({ header, data }) => {
    const text = Buffer.from(data ?? []).toString('utf8');
    return { name: header.name, body: Buffer.from(header.name.endsWith(file) ? edit(text) : text) };
  });
  const sums = files
    .filter(({ name }) => !name.endsWith('SHA256SUMS'))
    .map(
      ({ name, body }) =>
        `${createHash('sha256').update(body).digest('hex')}  ${name.replace(/^[^/]+\//, '')}\n`,
    );
  const tar = await packTar(
    files.map(({ name, body }) => {
      const whole = withSums && name.endsWith('SHA256SUMS') ? Buffer.from(sums.join('')) : body;
      return { header: { name, size: whole.length, type: 'file' as const }, body: whole };
    }),
  );
  return zstdCompressSync(tar);
}

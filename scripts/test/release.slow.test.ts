import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = dirname(dirname(import.meta.dirname));
const text = (path: string) => readFile(join(root, path), 'utf8');

interface Manifest {
  name: string;
  version: string;
}

/** The manifests of the packages of the workspace; the benchmark has an install of its own. */
async function manifests(): Promise<Manifest[]> {
  const folders = await Promise.all(
    ['apps', 'packages', 'tools'].map(async (group) =>
      (await readdir(join(root, group))).map((name) => join(group, name)),
    ),
  );
  const files = folders.flat().map((folder) => text(join(folder, 'package.json')).catch(() => undefined));
  const found: Manifest[] = (await Promise.all(files)).flatMap((file) =>
    file === undefined ? [] : [JSON.parse(file)],
  );
  return found.filter(({ name }) => name !== '@roster/bench');
}

describe('a release', () => {
  it('has one version in every package, and its changes in the change log', async () => {
    const { version } = JSON.parse(await text('package.json'));
    const others = (await manifests()).filter((manifest) => manifest.version !== version);
    expect(others).toEqual([]);
    const [, newest = ''] = /^## (.*)$/m.exec(await text('CHANGELOG.md')) ?? [];
    expect(newest === 'Unreleased' || newest.startsWith(version), newest).toBe(true);
  });

  it('names its version where images and packages are named', async () => {
    const { version } = JSON.parse(await text('package.json'));
    const named = {
      Dockerfile: /image\.version="(\S+)"/,
      'compose.yaml': /image: roster:([\w.-]+)/,
      'docs/operations/install.md': /--tag roster:(\S+)/,
      'README.md': /roster-server-(\S+)\.tgz/,
      'docs/how-to/command-line.md': /roster-cli-(\S+)\.tgz/,
      'packages/client/README.md': /roster-client-(\S+)\.tgz/,
    };
    for (const [path, pattern] of Object.entries(named)) {
      expect(pattern.exec(await text(path))?.[1], path).toBe(version);
    }
  });
});

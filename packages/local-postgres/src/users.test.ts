import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from './testing/children.ts';
import { currentUser, isRoot, mayEnter, unprivilegedUser } from './users.ts';

it('the unprivileged user is never root', async () => {
  const { uid, gid } = await unprivilegedUser();
  expect(uid).toBeGreaterThan(0);
  expect(gid).toBeGreaterThan(0);
});

it.runIf(isRoot())(
  'root may enter what an unprivileged user may not, below a private directory too',
  async () => {
    await using directory = await scratch();
    const outer = join(directory.path, 'outer');
    const program = join(outer, 'inner', 'program');
    const may = async () => [
      await mayEnter(await unprivilegedUser(), outer, program),
      await mayEnter(currentUser(), outer, program),
    ];
    await mkdir(join(outer, 'inner'), { recursive: true });
    await writeFile(program, '', { mode: 0o755 });
    expect(await may()).toEqual([true, true]);
    await chmod(program, 0o744);
    expect(await may()).toEqual([false, true]);
    await chmod(program, 0o755);
    await chmod(outer, 0o750);
    expect(await may()).toEqual([false, true]);
  },
);

import { chmod, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from './children.fixture.ts';
import { obstacle } from './permissions.ts';
import { unprivilegedUser } from './users.ts';

describe('the user without rights', () => {
  it.each([
    ['as the machine names it', 'root:x:0:0:::\nnobody:x:99:98:::\n', { uid: 99, gid: 98 }],
    ['on macOS, where its number is negative', 'nobody:*:-2:-2:::\n', { uid: 4294967294, gid: 4294967294 }],
    ['by the customary number where it has no name', 'root:x:0:0:::\n', { uid: 65534, gid: 65534 }],
    ['and never root, whatever the table says', 'nobody:x:0:0:::\n', { uid: 65534, gid: 65534 }],
  ])('is taken %s', async (_, passwd, expected) => {
    await using place = await scratch();
    const file = join(place.path, 'passwd');
    await writeFile(file, passwd);
    expect(await unprivilegedUser(file)).toEqual(expected);
  });

  it('is the customary number where there is no table of users', async () => {
    expect(await unprivilegedUser('/nowhere/passwd')).toEqual({ uid: 65534, gid: 65534 });
  });
});

describe('what keeps a user from a path', () => {
  const stranger = { uid: 4242, gid: 4242 };

  it('is the first directory that does not let them pass, else the file itself, else nothing', async () => {
    await using place = await scratch();
    const root = await realpath(place.path);
    const inner = join(root, 'outer', 'inner');
    const file = join(inner, 'program');
    await mkdir(inner, { recursive: true });
    await writeFile(file, '');
    await chmod(file, 0o754);
    expect(await obstacle(file, stranger, 'read')).toBeUndefined();
    expect(await obstacle(file, stranger, 'run')).toBe(file);
    expect(await obstacle(inner, stranger, 'pass')).toBeUndefined();
    await chmod(inner, 0o700);
    expect(await obstacle(inner, stranger, 'pass')).toBe(inner);
    await chmod(join(root, 'outer'), 0o750);
    expect(await obstacle(file, stranger, 'read')).toBe(join(root, 'outer'));
  });
});

import { chmod, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from './children.fixture.ts';
import { findDenied } from './permissions.ts';
import { unprivilegedUser } from './users.ts';

describe('the unprivileged user', () => {
  it.each([
    ['has the ids of `nobody` in /etc/passwd', 'root:x:0:0:::\nnobody:x:99:98:::\n', { uid: 99, gid: 98 }],
    [
      'has unsigned ids on macOS, where they are negative',
      'nobody:*:-2:-2:::\n',
      { uid: 4294967294, gid: 4294967294 },
    ],
    ['has the id 65534 if /etc/passwd does not list it', 'root:x:0:0:::\n', { uid: 65534, gid: 65534 }],
    ['is never root, even if /etc/passwd says so', 'nobody:x:0:0:::\n', { uid: 65534, gid: 65534 }],
  ])('%s', async (_, passwd, expected) => {
    await using directory = await scratch();
    const file = join(directory.path, 'passwd');
    await writeFile(file, passwd);
    expect(await unprivilegedUser(file)).toEqual(expected);
  });

  it('has the id 65534 if there is no /etc/passwd', async () => {
    expect(await unprivilegedUser('/nowhere/passwd')).toEqual({ uid: 65534, gid: 65534 });
  });
});

describe('findDenied', () => {
  const stranger = { uid: 4242, gid: 4242 };

  it('returns the first directory that the user may not search, else the file, else undefined', async () => {
    await using directory = await scratch();
    const root = await realpath(directory.path);
    const inner = join(root, 'outer', 'inner');
    const file = join(inner, 'program');
    await mkdir(inner, { recursive: true });
    await writeFile(file, '');
    await chmod(file, 0o754);
    expect(await findDenied(file, stranger, 'read')).toBeUndefined();
    expect(await findDenied(file, stranger, 'execute')).toBe(file);
    expect(await findDenied(inner, stranger, 'search')).toBeUndefined();
    await chmod(inner, 0o700);
    expect(await findDenied(inner, stranger, 'search')).toBe(inner);
    await chmod(join(root, 'outer'), 0o750);
    expect(await findDenied(file, stranger, 'read')).toBe(join(root, 'outer'));
  });
});

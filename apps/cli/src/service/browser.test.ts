import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openBy, openerOf } from './browser.ts';

it.each([
  ['darwin', {}, ['open']],
  ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler']],
  ['linux', { DISPLAY: ':0' }, ['xdg-open']],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open']],
  ['linux', { BROWSER: 'lynx' }, ['lynx']],
  ['linux', {}, undefined],
] as const)('on %s with %j a URL is opened by %j', (platform, env, opener) => {
  expect(openerOf(platform, env)).toEqual(opener);
});

it('passes the URL to the command as one argument', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'roster-browser-'));
  const [opener, shown] = [join(directory, 'opener'), join(directory, 'shown')];
  writeFileSync(opener, `#!/bin/sh\nprintf '%s' "$1" > '${shown}.new' && mv '${shown}.new' '${shown}'\n`, {
    mode: 0o755,
  });
  const url = 'http://127.0.0.1:3000/docs?a=1&b=$(x) y';
  expect(await openBy([opener], url)).toBe(true);
  await vi.waitFor(() => expect(readFileSync(shown, 'utf8')).toBe(url));
});

it('resolves to false if there is no command, or it is not installed', async () => {
  expect(await openBy(undefined, 'http://127.0.0.1:3000/docs')).toBe(false);
  expect(await openBy(['/nowhere/xdg-open'], 'http://127.0.0.1:3000/docs')).toBe(false);
});

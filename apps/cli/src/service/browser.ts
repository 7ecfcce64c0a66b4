import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Environment } from '../environment.ts';

/** The command that opens a URL in a browser; undefined if there is no display. */
export function openerOf(platform: NodeJS.Platform, env: Environment): string[] | undefined {
  if (platform === 'darwin') return ['open'];
  // `start` would read an ampersand in the URL; this passes it unchanged.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  if (env.BROWSER) return [env.BROWSER];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Opens a URL with that command without waiting for it to exit. Resolves to whether the command could be started. */
export async function openBy(opener: string[] | undefined, url: string): Promise<boolean> {
  const [command, ...args] = opener ?? [];
  if (command === undefined) return false;
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  try {
    await once(child, 'spawn');
  } catch {
    return false;
  }
  child.unref();
  return true;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Environment } from './environment.ts';

/** The command that shows a URL to the user; undefined where there is no screen to show it on. */
export function openerOf(platform: NodeJS.Platform, env: Environment): string[] | undefined {
  if (platform === 'darwin') return ['open'];
  // `start` would read an ampersand in the URL; this takes it as it is.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  if (env.BROWSER) return [env.BROWSER];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Shows a URL by that command, without waiting for it to end; answers whether it could be started. */
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

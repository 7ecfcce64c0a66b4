import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

/** A service in a process of its own. */
export interface ServiceProcess {
  url: string;
  /** Stops it in order, and waits until it has ended. */
  stop: () => Promise<void>;
}

/**
 * Starts the service as a process, because packages import no application, on a free port and silent.
 * @param settings its environment
 */
export async function startService(settings: NodeJS.ProcessEnv): Promise<ServiceProcess> {
  const main = new URL('../../../../apps/server/src/main.ts', import.meta.url).pathname;
  // What is for people is not read after the address.
  const env = { ...settings, PORT: '0', ROSTER_LOG_LEVEL: 'silent' };
  const service = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(service, 'exit');
  const stop = async () => {
    service.kill('SIGTERM');
    service.stderr.resume();
    await exited;
  };
  let output = '';
  for await (const chunk of service.stderr.setEncoding('utf8')) {
    output += chunk;
    const [url] = /http:\/\/[\d.]+:\d+/.exec(output) ?? [];
    if (url !== undefined) return { url, stop };
  }
  throw new Error(`The service did not start: ${output}`);
}

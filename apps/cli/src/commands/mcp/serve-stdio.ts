import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { RosterClient } from '@roster/client';
import { createRosterServer } from '@roster/mcp';
import { Interrupted } from '../../errors.ts';
import type { Runtime } from '../context.ts';
import { serviceOf } from './client-service.ts';

/**
 * Serves one assistant over stdin and stdout until stdin ends. Throws the error of the service if it does not accept the key, and
 * `Interrupted` if the user interrupts.
 */
export async function serveAssistant(client: RosterClient, runtime: Runtime): Promise<void> {
  const { io, signal, version } = runtime;
  const service = serviceOf(client);
  // So that a wrong key ends the command with an error that people see, and not each call of the assistant.
  await service.query('sessions.current', {}, { signal });
  const stdout = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      io.stdout.write(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk));
      done();
    },
  });
  const transport = new StdioServerTransport(io.stdin, stdout);
  const server = serveStdio(() => createRosterServer({ service, version, signal }), {
    transport,
    onerror: (error) => void io.stderr.write(`roster: mcp: ${error.message}\n`),
  });
  try {
    await finished(io.stdin, { writable: false, signal });
  } catch (error) {
    if (signal.aborted) throw new Interrupted();
    throw error;
  } finally {
    await server.close();
  }
}

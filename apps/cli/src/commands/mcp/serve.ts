import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { callsByName, type RosterClient, RosterError } from '@roster/client';
import { createRosterServer, type Problem, type Service } from '@roster/mcp';
import { Interrupted } from '../../errors.ts';
import type { Runtime } from '../context.ts';

/** Serves one assistant until stdin ends. Throws if the service rejects the key, and `Interrupted` if the user interrupts. */
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

function serviceOf(client: RosterClient): Service {
  return { ...callsByName(client), problemOf };
}

function problemOf(error: unknown): Problem | undefined {
  if (!(error instanceof RosterError)) return undefined;
  const { code, detail, status, requestId, errors, errorsOmitted } = error;
  const { currentVersion, mergedInto, dependents, retryAfterMs } = error;
  return {
    code,
    detail,
    // Without a response there is no status.
    ...(status > 0 && { status }),
    requestId,
    ...(errors.length > 0 && { errors }),
    ...(errorsOmitted > 0 && { errorsOmitted }),
    currentVersion,
    mergedInto,
    dependents,
    ...(retryAfterMs !== undefined && { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }),
  };
}

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface MetricsServer extends AsyncDisposable {
  url: string;
}

export interface MetricsSource {
  contentType: string;
  metrics(): Promise<string>;
}

export type ServeMetrics = (registry: Registry, at: { host: string; port: number }) => Promise<MetricsServer>;

/** On a port of its own: clients of the API cannot read the metrics, and Prometheus needs no key. Throws if the port is in use. */
export async function serveMetrics(
  registry: MetricsSource,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer(({ method, url }, response) => {
    if (url?.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end();
    if (method !== 'GET' && method !== 'HEAD')
      return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    void respond(registry, response);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${shownHost}:${taken}/metrics`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function respond(registry: MetricsSource, response: ServerResponse): Promise<void> {
  try {
    const text = await registry.metrics();
    response.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
  } catch {
    // A gauge that cannot be read must not end the process.
    response.writeHead(500).end();
  }
}

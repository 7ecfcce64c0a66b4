import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';

/** The versions of the protocol that are served. */
export const mcpVersions = ['2025-11-25', '2026-07-28'] as const;
type McpVersion = (typeof mcpVersions)[number];

interface ConnectedOptions {
  url: string;
  key: string;
  version?: McpVersion;
}

/** A client of one version of the protocol that is connected to a server over HTTP. */
export async function connectedClient({
  url,
  key,
  version = '2026-07-28',
}: ConnectedOptions): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, clientOptions(version));
  const headers = { Authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  return client;
}

/** What makes a client speak one version. */
function clientOptions(version: McpVersion) {
  return version === '2025-11-25' ? {} : { versionNegotiation: { mode: { pin: version } } };
}

/** The structured result of a tool, which must not have failed and whose text must say the same. */
export async function resultOf<Result = Record<string, unknown>>(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Result> {
  const result = await client.callTool({ name, arguments: args });
  expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
  expect(textOf(result)).toEqual(result.structuredContent);
  return result.structuredContent as Result;
}

/** The error that a tool returns. */
export async function errorOf(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: args });
  expect(result.isError, JSON.stringify(result.content)).toBe(true);
  return textOf(result).error as Record<string, unknown>;
}

function textOf({ content }: { content: unknown }): Record<string, unknown> {
  const [{ text }] = content as [{ text: string }];
  return JSON.parse(text);
}

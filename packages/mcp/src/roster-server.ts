import { McpServer } from '@modelcontextprotocol/server';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import { readRights } from './rights.ts';
import { resourceNames, type Service } from './service.ts';
import { NOTICE } from './tool.ts';
import { tools } from './tools/index.ts';
import { registerTool } from './tools/register-tool.ts';

/** More values than the largest import has that fits into a request. */
const VALUES_MAX = 50_000;

const instructions =
  `Roster is the directory of an organisation's ${new Intl.ListFormat('en-GB').format(resourceNames)}. Find records first; names are not unique, ids are. ` +
  'Changes are made to the one record that is named: look at it, show the user what would change (`dryRun`), then write with the ' +
  `\`ifVersion\` that was read. ${NOTICE}`;

export interface RosterServerOptions {
  service: Service;
  /** The version of Roster. */
  version: string;
  /** Ends the reading of the caller's rights. */
  signal: AbortSignal;
}

/** An MCP server for one caller, with the tools, resources and prompts that its rights allow. */
export async function createRosterServer({
  service,
  version,
  signal,
}: RosterServerOptions): Promise<McpServer> {
  const rights = await readRights(service, signal);
  const server = new McpServer(
    { name: 'roster', title: 'Roster', version },
    {
      instructions,
      maxToolInputElements: VALUES_MAX,
      // The lists depend on the rights of the caller alone, and no change of them is announced.
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
    },
  );
  const host = { service, rights };
  for (const make of tools) {
    const tool = make(rights);
    if (tool !== undefined) registerTool(server, tool, host);
  }
  registerResources(server, host);
  registerPrompts(server, rights);
  return server;
}

import { McpServer } from '@modelcontextprotocol/server';
import { addContentTools, addNotifyingTools, addPrompts, addResources } from './content.ts';
import { addAskingPrompt, addAskingTools, states } from './input.ts';

/** A server with the tools, resources and prompts that the scenarios of the conformance suite call, by its own page of them. */
export function createConformanceServer(): McpServer {
  const server = new McpServer(
    { name: 'roster-conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: {},
        prompts: {},
        resources: { subscribe: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
    },
  );
  addContentTools(server);
  addNotifyingTools(server);
  addAskingTools(server);
  addResources(server);
  addPrompts(server);
  addAskingPrompt(server);
  // What the library leaves to its users.
  const nothing = async () => ({});
  server.server.setRequestHandler('resources/subscribe', nothing);
  server.server.setRequestHandler('resources/unsubscribe', nothing);
  server.server.setRequestHandler('completion/complete', async () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
  return server;
}

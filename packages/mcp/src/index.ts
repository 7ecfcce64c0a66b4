/** Tools, resources and prompts of Roster for assistants (Model Context Protocol), over its procedures. */
export { createMcpHandler, type McpHttpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
export { createRosterServer, type RosterServerOptions } from './server.ts';
export type { Call, Problem, Service } from './service.ts';

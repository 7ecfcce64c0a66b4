import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { records } from '@roster/contract/records';
import { NOTICE } from './tool.ts';
import { problemOf, type ToolHost } from './tools/register-tool.ts';

/** Adds the records that the caller may read, by their URIs: `roster://agents/{id}`, `roster://offices/{id}`. */
export function registerResources(server: McpServer, { service, rights }: ToolHost): void {
  for (const resource of rights.resources('read')) {
    // They are not listed: a directory has too many, and the tools find them.
    const template = new ResourceTemplate(`roster://${resource}/{id}`, { list: undefined });
    const { singular } = records[resource];
    const title = `${singular.charAt(0).toUpperCase()}${singular.slice(1)}`;
    const description = `One ${singular} of the directory, by its id. ${NOTICE}`;
    const metadata = { title, description, mimeType: 'application/json' };
    server.registerResource(resource, template, metadata, async (uri, { id }, { mcpReq: { signal } }) => {
      const data = await service.query(`${resource}.get`, { id }, { signal }).catch((error: unknown) => {
        const problem = problemOf(service, error);
        // An id that is none names no record either.
        if (problem.status === 404 || problem.status === 422 || problem.status === 400)
          throw new ResourceNotFoundError(uri.href);
        throw new ProtocolError(ProtocolErrorCode.InternalError, problem.detail, problem);
      });
      const text = JSON.stringify({ notice: NOTICE, data });
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
    });
  }
}

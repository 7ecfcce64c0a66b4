import type {
  CallToolResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Rights } from '../rights.ts';
import { shownSchema } from '../schemas/shown-schema.ts';
import { type Problem, type Service, ToolError } from '../service.ts';
import { annotationsOf, DATA_DESCRIPTION, NOTICE, type Tool, type ToolCall } from '../tool.ts';

/** The service and the rights of one connection, which all its tools share. */
export interface ToolHost {
  service: Service;
  rights: Rights;
}

/** Adds a tool to a server. What it throws becomes a result with `isError`, whose text is the error as JSON. */
export function registerTool(server: McpServer, tool: Tool, host: ToolHost): void {
  const { name, title, description, input, output, kind } = tool;
  const config = {
    title,
    description: `${description} ${DATA_DESCRIPTION}`,
    inputSchema: shown(input, (value) => ({ value })),
    outputSchema: shown(z.looseObject(output)),
    annotations: annotationsOf[kind],
  };
  server.registerTool(name, config, async (given: unknown, context: ServerContext) => {
    try {
      const result = await tool.run(given, callOf(host, context));
      return resultOf({ notice: NOTICE, ...result });
    } catch (error) {
      return failureOf(problemOf(host.service, error));
    }
  });
}

type Standard = StandardSchemaWithJSON['~standard'];

/**
 * A schema as clients are shown it. An input is checked elsewhere, so that its errors have the form of all others.
 *
 * @param validate Replaces the check of the schema
 */
function shown(
  schema: z.ZodType,
  validate: Standard['validate'] = schema['~standard'].validate,
): StandardSchemaWithJSON {
  const { '~standard': standard } = schema as StandardSchemaWithJSON;
  const jsonSchema: Standard['jsonSchema'] = {
    input: (options) => shownSchema(standard.jsonSchema.input(options)),
    output: (options) => shownSchema(standard.jsonSchema.output(options)),
  };
  return { '~standard': { ...standard, validate, jsonSchema } };
}

function callOf(host: ToolHost, { mcpReq }: ServerContext): ToolCall {
  const { signal, _meta } = mcpReq;
  const progressToken = _meta?.progressToken;
  return {
    ...host,
    signal,
    progress: async (progress, total, message) => {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total, message };
      await mcpReq.notify({ method: 'notifications/progress', params });
    },
  };
}

function resultOf(structuredContent: Record<string, unknown>): CallToolResult {
  // The text is for clients that read no structured content.
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

/** The error of the service; one that is none is not shown, as it may hold anything. */
export function problemOf(service: Service, error: unknown): Problem {
  if (error instanceof ToolError) return error.problem;
  const unknown: Problem = { code: 'internal', detail: 'The tool has failed.', status: 500 };
  return service.problemOf(error) ?? unknown;
}

function failureOf(error: Problem): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error }) }] };
}

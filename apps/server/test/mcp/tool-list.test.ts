import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectedClient, errorOf } from '../support/http/mcp-client.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startTestServer();
  client = await connectedClient(server);
});
afterAll(async () => {
  await client.close();
  await server[Symbol.asyncDispose]();
});

/** About as many as a model counts. */
const CHARACTERS_PER_TOKEN = 4;
const TOKENS_MAX = 8_000;

interface Schema {
  properties?: Record<string, Schema>;
  description?: string;
  [keyword: string]: unknown;
}

/** The places of all properties in a schema, with their schemas. */
function* propertiesIn(schema: unknown, place: string): Generator<[string, Schema]> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [keyword, part] of Object.entries(schema)) {
    if (keyword !== 'properties' || Array.isArray(schema)) {
      yield* propertiesIn(part, place);
      continue;
    }
    for (const [name, property] of Object.entries(part as Record<string, Schema>)) {
      yield [`${place}.${name}`, property];
      yield* propertiesIn(property, `${place}.${name}`);
    }
  }
}

describe('the list of all tools', () => {
  it('takes at most 8,000 tokens of a conversation', async () => {
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(17);
    expect(JSON.stringify(tools).length / CHARACTERS_PER_TOKEN).toBeLessThanOrEqual(TOKENS_MAX);
  });

  it('describes every property of every tool', async () => {
    const { tools } = await client.listTools();
    const all = tools.flatMap(({ name, inputSchema, outputSchema }) => [
      ...propertiesIn(inputSchema, `${name} input`),
      ...propertiesIn(outputSchema, `${name} output`),
    ]);
    expect(all.length).toBeGreaterThan(200);
    expect(all.filter(([, { description }]) => !description).map(([place]) => place)).toEqual([]);
  });
});

describe('arguments that are not valid', () => {
  it.each([
    ['create', { resource: 'agents' }, 'values is required.'],
    [
      'create',
      { resource: 'agent', values: { name: 'x' } },
      'resource must be one of agents, offices, teams.',
    ],
    ['create', { resource: 'agents', values: {} }, 'values must name a field.'],
    ['find_agents', { limit: 51 }, 'limit must be at most 50.'],
    ['find_agents', { limit: 'x' }, 'limit must be a whole number.'],
    [
      'find_agents',
      { nme: 'x', q: 5 },
      'q must be a string, not a whole number; nme is not a field of this body.',
    ],
    ['find_offices', { city: 'x'.repeat(101) }, 'city must be at most 100 characters long, and is 101.'],
    [
      'update',
      { resource: 'agents', changes: [] },
      'id is required; changes must be an object, not an array.',
    ],
  ])('are named in the words of the API: %s %j', async (tool, given, detail) => {
    expect(await errorOf(client, tool, given)).toMatchObject({
      code: 'validation_failed',
      status: 422,
      detail,
    });
  });
});

import { setTimeout } from 'node:timers/promises';
import { type McpServer, ResourceTemplate, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** The smallest PNG, and a WAV of no sample. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: png, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
});

/** Adds the tools of the conformance scenarios that return content. */
export function addContentTools(server: McpServer): void {
  const described = (description: string) => ({ description });
  server.registerTool('test_simple_text', described('Returns a text'), async () => ({
    content: [text('This is a simple text response for testing.')],
  }));
  server.registerTool('test_image_content', described('Returns an image'), async () => ({
    content: [image],
  }));
  server.registerTool('test_audio_content', described('Returns a sound'), async () => ({
    content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  }));
  server.registerTool('test_embedded_resource', described('Returns a resource'), async () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }));
  server.registerTool('test_multiple_content_types', described('Returns several kinds'), async () => ({
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }));
  server.registerTool('test_error_handling', described('Fails'), async () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
}

/** Adds those that notify while they run. */
export function addNotifyingTools(server: McpServer): void {
  const logging = async ({ mcpReq }: ServerContext) => {
    for (const step of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', step);
      await setTimeout(50);
    }
    return { content: [text('Logged')] };
  };
  for (const name of ['test_tool_with_logging', 'test_logging_tool'])
    server.registerTool(name, { description: 'Logs' }, logging);
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Tells its progress' },
    async ({ mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        const params = { progressToken: progressToken ?? 0, progress, total: 100 };
        if (progressToken !== undefined) await mcpReq.notify({ method: 'notifications/progress', params });
        await setTimeout(50);
      }
      return { content: [text('Done')] };
    },
  );
}

/** Adds the resources of the scenarios. */
export function addResources(server: McpServer): void {
  const add = (name: string, mimeType: string, content: { text: string } | { blob: string }) => {
    const uri = `test://${name}`;
    server.registerResource(name, uri, { description: name, mimeType }, async () => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  };
  add('static-text', 'text/plain', { text: 'This is the content of the static text resource.' });
  add('static-binary', 'image/png', { blob: png });
  add('watched-resource', 'text/plain', { text: 'Watched resource content' });
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const metadata = { description: 'By its id', mimeType: 'application/json' };
  server.registerResource('template', template, metadata, async (uri, { id }) => ({
    contents: [
      {
        uri: uri.href,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
  }));
}

/** Adds the prompts of the scenarios. */
export function addPrompts(server: McpServer): void {
  const asked = (...contents: (ReturnType<typeof text> | typeof image | ReturnType<typeof embedded>)[]) => ({
    messages: contents.map((content) => ({ role: 'user' as const, content })),
  });
  server.registerPrompt('test_simple_prompt', { description: 'A prompt' }, () =>
    asked(text('This is a simple prompt for testing.')),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => asked(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      asked(
        embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'With an image' }, () =>
    asked(image, text('Please analyze the image above.')),
  );
}

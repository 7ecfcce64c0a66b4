import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequest,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** What the state of a call in several rounds is signed with; every server of the fixture has the same key. */
export const states = createRequestStateCodec<{ round: number }>({
  key: 'a key of thirty-two bytes, for tests',
});

const textOf = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

function question(message: string, name: string, type: 'string' | 'boolean' = 'string'): InputRequest {
  const property = type === 'string' ? { type } : { type };
  const properties: Record<string, typeof property> = { [name]: property };
  return inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required: [name] } });
}

function sampling(value: string, maxTokens: number): InputRequest {
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: value } }];
  return inputRequired.createMessage({ messages, maxTokens });
}

const name = question('What is your name?', 'name');

/** Whether the client has answered all of these. */
function hasAll({ mcpReq }: ServerContext, ...keys: string[]): boolean {
  return keys.every((key) => mcpReq.inputResponses?.[key] !== undefined);
}

/** Adds the tools of the conformance scenarios that ask the client for something. */
export function addAskingTools(server: McpServer): void {
  const add = (
    tool: string,
    run: (context: ServerContext) => Promise<ReturnType<typeof textOf> | ReturnType<typeof inputRequired>>,
  ) => server.registerTool(tool, { description: 'Asks the client' }, run);

  const greet = async ({ mcpReq }: ServerContext) => {
    const content = acceptedContent<{ name?: unknown }>(mcpReq.inputResponses, 'user_name');
    return typeof content?.name === 'string'
      ? textOf(`Hello, ${content.name}!`)
      : inputRequired({ inputRequests: { user_name: name } });
  };
  add('test_input_required_result_elicitation', greet);
  add('test_streaming_elicitation', greet);
  add('test_input_required_result_sampling', async (context) => {
    if (hasAll(context, 'capital_question'))
      return textOf(JSON.stringify(context.mcpReq.inputResponses?.capital_question));
    return inputRequired({
      inputRequests: { capital_question: sampling('What is the capital of France?', 100) },
    });
  });
  add('test_missing_capability', async () =>
    inputRequired({ inputRequests: { needed: sampling('Hello?', 10) } }),
  );
  add('test_input_required_result_list_roots', async (context) => {
    if (hasAll(context, 'client_roots'))
      return textOf(JSON.stringify(context.mcpReq.inputResponses?.client_roots));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  add('test_input_required_result_multiple_inputs', async (context) => {
    if (hasAll(context, 'user_name', 'greeting', 'client_roots')) return textOf('All are here.');
    return inputRequired({
      inputRequests: {
        user_name: name,
        greeting: sampling('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint({ round: 1 }, context),
    });
  });
  add('test_input_required_result_capabilities', async ({ mcpReq }) => {
    const envelope = mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined;
    const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY];
    return inputRequired({
      inputRequests: {
        ...(capabilities?.elicitation && { user_name: name }),
        ...(capabilities?.sampling && { greeting: sampling('Generate a greeting', 50) }),
      },
    });
  });
  addRounds(add);
}

/** Adds the tools that need a state between their rounds. */
function addRounds(add: (tool: string, run: (context: ServerContext) => Promise<never>) => unknown): void {
  const confirmed = async (context: ServerContext) => {
    if (hasAll(context, 'confirm') && context.mcpReq.requestState<{ round: number }>()?.round === 1)
      return textOf('state-ok');
    return inputRequired({
      inputRequests: { confirm: question('Please confirm', 'ok', 'boolean') },
      requestState: await states.mint({ round: 1 }, context),
    });
  };
  add('test_input_required_result_request_state', confirmed as never);
  add('test_input_required_result_tampered_state', confirmed as never);
  const rounds = async (context: ServerContext) => {
    const round = context.mcpReq.requestState<{ round: number }>()?.round ?? 0;
    if (round === 2 && hasAll(context, 'step2')) return textOf('Both steps are done.');
    const isSecond = round === 1 && hasAll(context, 'step1');
    const inputRequests = isSecond
      ? { step2: question('Step 2: What is your favorite color?', 'color') }
      : { step1: question('Step 1: What is your name?', 'name') };
    return inputRequired({
      inputRequests,
      requestState: await states.mint({ round: isSecond ? 2 : 1 }, context),
    });
  };
  add('test_input_required_result_multi_round', rounds as never);
}

/** Adds the prompt that asks the client before it responds. */
export function addAskingPrompt(server: McpServer): void {
  const description = 'Asks for its context';
  server.registerPrompt('test_input_required_result_prompt', { description }, ({ mcpReq }) => {
    const given = acceptedContent<{ context?: string }>(mcpReq.inputResponses, 'user_context');
    if (given === undefined)
      return inputRequired({
        inputRequests: { user_context: question('What context should the prompt use?', 'context') },
      });
    const content = { type: 'text' as const, text: `Context: ${given.context}` };
    return { messages: [{ role: 'user' as const, content }] };
  });
}

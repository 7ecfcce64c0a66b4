import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Rights } from './rights.ts';

const argument = (description: string) => z.string().min(1).max(200).describe(description);

function asked(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}

/** Adds the three most usual questions, as far as the caller has the tools to answer them. */
export function registerPrompts(server: McpServer, rights: Rights): void {
  if (rights.has('agents:read')) {
    server.registerPrompt(
      'find_person',
      {
        title: 'Who is …, and how are they reached?',
        description: 'Finds an agent by a name, an e-mail address or an MLS id',
        argsSchema: z.object({ name: argument('A name, an e-mail address or an MLS id') }),
      },
      ({ name }) =>
        asked(
          `Find the agent "${name}" with find_agents. If several match, list them with their offices and ask which one is meant. ` +
            'Then give the office, the telephone numbers, the e-mail address and the status.',
        ),
    );
  }
  if (rights.has('agents:read', 'offices:read')) {
    server.registerPrompt(
      'office_overview',
      {
        title: 'Who works in …?',
        description: 'An office, its numbers and its agents',
        argsSchema: z.object({ office: argument('The name of an office, its city or its MLS id') }),
      },
      ({ office }) =>
        asked(
          `Find the office "${office}" with find_offices; if several match, ask which one is meant. Then use office_roster: say how ` +
            'many active and inactive agents and how many branches it has, and list the active agents with title and telephone.',
        ),
    );
  }
  if (rights.resources('read').length > 0) {
    server.registerPrompt(
      'licenses_to_renew',
      {
        title: 'Which licences expire soon?',
        description: 'Licences to renew, the earliest first',
        argsSchema: z.object({ before: argument('A day, YYYY-MM-DD').optional() }),
      },
      ({ before }) =>
        asked(
          `List with licenses_expiring whose licence expires ${before === undefined ? 'within 60 days' : `before ${before}`}, and ` +
            'whose has expired, the earliest first: name, office, number of the licence, last day, and how to reach them.',
        ),
    );
  }
}

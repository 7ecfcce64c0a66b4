import type { VerbContract } from './types.ts';

/** Finds what the service says of one of its own verbs. */
type ContractOf = (noun: string, verb: string) => VerbContract;

/** What an event says of the record, which a history says in its changes. */
const states = new Set(['subject', 'record', 'previous']);

/** What of a list is about one page of it, and says nothing of all. */
const ofPages = new Set(['limit', 'cursor', 'includeTotal', 'expand']);

/** Verbs that are no operation of the service: each is made of some that are, and so is what it takes and answers. */
export const composed: Readonly<Record<string, (noun: string, contractOf: ContractOf) => VerbContract>> = {
  history: (_noun, contractOf) => ({
    summary: 'Read what has become of a record, version by version',
    description:
      'Every version that is kept, oldest first, with what changed in it, when and by which key; of a deleted record ' +
      'too. On a terminal a paragraph a version, in a pipe a line a change. Needs the scope `events:read`.',
    fields: [],
    answers: [...contractOf('events', 'list').answers.filter((name) => !states.has(name)), 'changes'],
    isQuery: true,
  }),
  revert: (noun, contractOf) => {
    const { fields, answers, isRepeatable } = contractOf(noun, 'update');
    return {
      summary: 'Make a record what it was in an earlier version',
      description:
        'An update like any other, to what every field that can be written was in that version; the status stays as it ' +
        'is. Needs the scope `events:read` beside those for reading and writing the record.',
      fields: fields.filter(({ isCondition }) => isCondition),
      answers,
      ...(isRepeatable && { isRepeatable }),
    };
  },
  tail: (noun, contractOf) => {
    const { fields, answers } = contractOf(noun, 'list');
    return {
      summary: 'Follow the log of changes',
      description:
        'Every change as it happens, until interrupted: without --after from now on, with it from there. Outlives a ' +
        'service that is away, and says at its end where to go on. With --json an object a line, with its cursor. ' +
        'Needs the scope `events:read`.',
      fields: fields.filter(({ path }) => path[0] !== 'limit'),
      answers: [...answers, 'cursor'],
      isQuery: true,
    };
  },
  listen: (_noun, contractOf) => ({
    summary: 'Forward events to a URL of this machine, signed as a webhook',
    description:
      'For the development of a receiver: follows the log and posts each event to --forward-to, one after the other, in ' +
      'the form and with the signature of a webhook. Makes no webhook at the service, and sends a message once, whatever ' +
      'the answer. Without --after from now on. Needs the scope `events:read`.',
    fields: contractOf('events', 'list').fields.filter(({ path }) => path[0] !== 'limit'),
    answers: ['position', 'type', 'subject', 'messageId', 'status', 'durationMs', 'error', 'cursor'],
    isQuery: true,
  }),
  import: (noun, contractOf) => ({
    summary: `Import ${noun} from a CSV or NDJSON file`,
    description:
      `Import ${noun} from a CSV or NDJSON file, or from stdin. Everything is checked first, and nothing is written ` +
      'where anything is wrong. What is there already is changed where the file says something new, and else left ' +
      `alone. Needs the scopes \`${noun}:read\` and \`${noun}:write\`. docs/reference/import-columns.md lists the columns.`,
    fields: [],
    answers: [
      'rows',
      'created',
      'updated',
      'unchanged',
      'refused',
      'matchedByEmail',
      'createdWithoutKey',
      'createdWithoutEmail',
    ],
    ...(contractOf('imports', noun).isRepeatable && { isRepeatable: true }),
  }),
  export: (noun, contractOf) => ({
    summary: `Export ${noun} to a CSV or NDJSON file`,
    description:
      `Write all ${noun} that match to a file, or to stdout: what roster ${noun} import reads. Imported again where they ` +
      `come from, they change nothing. Needs the scopes \`${noun}:read\` and, to say where offices came from, ` +
      '`offices:read`.',
    fields: contractOf(noun, 'list').fields.filter(({ path: [first = ''] }) => !ofPages.has(first)),
    answers: [],
    isQuery: true,
  }),
};

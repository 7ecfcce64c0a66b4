import type { OperationContract } from './fields.ts';

type ContractOf = (resource: string, operation: string) => OperationContract;

/** Parameters of a list that concern a single page. */
const pageParameters = new Set(['limit', 'cursor', 'startAt', 'includeTotal', 'expand', 'highlight']);

/** Fields that a command prints in addition to the response: `roster people invite` adds a link. */
export const alsoPrinted: Readonly<Record<string, readonly string[]>> = { 'people.invite': ['link'] };

/** Commands that are not operations of the service: each calls several, and its contract is derived from theirs. */
export const clientSideCommands: Readonly<
  Record<string, (resource: string, contractOf: ContractOf) => OperationContract>
> = {
  tail: (resource, contractOf) => {
    const { fields, returned } = contractOf(resource, 'list');
    return {
      summary: 'Follow the log of changes',
      description:
        'Prints every change as it happens until you interrupt it, from now on or from --after. Reconnects if the service is ' +
        'unavailable, and prints the cursor to continue from. Needs the scope `events:read`.',
      fields: fields.filter(({ path }) => path[0] !== 'limit'),
      returned: [...returned, 'cursor'],
      isQuery: true,
    };
  },
  listen: (_resource, contractOf) => ({
    summary: 'Forward events to a URL on this computer, signed like a webhook',
    description:
      'Posts events to --forward-to, one at a time, in the format and with the signature of a webhook, so that you can develop a ' +
      "receiver. Sends each event once, and doesn't create a webhook. Starts from now, or from --after. Needs the scope `events:read`.",
    fields: contractOf('events', 'list').fields.filter(({ path }) => path[0] !== 'limit'),
    returned: ['position', 'type', 'subject', 'messageId', 'status', 'durationMs', 'error', 'cursor'],
    isQuery: true,
  }),
  bulk: (resource, contractOf) => ({
    summary: `Change all ${resource} that match`,
    description:
      `Shows how many ${resource} match and what would change, and asks you for their number. A job then changes them in the ` +
      'background; cancel or undo it with the `jobs` commands. Without a terminal, add --expect and --yes.',
    fields: contractOf(resource, 'list').fields.filter(
      ({ path: [first = ''] }) => first !== 'sort' && !pageParameters.has(first),
    ),
    returned: [...contractOf('jobs', 'get').returned, 'count', 'checked', 'samples'],
    isRepeatable: true,
  }),
  import: (resource, contractOf) => ({
    summary: `Import ${resource} from a CSV or NDJSON file`,
    description:
      'Checks the whole file first, and writes nothing if a row has an error. Existing records that differ from the file are ' +
      "updated. On a terminal, you're asked about columns that Roster doesn't recognise. The columns are those of an " +
      `export. Needs the scopes \`${resource}:read\` and \`${resource}:write\`.`,
    fields: [],
    returned: [
      'id',
      'rows',
      'created',
      'updated',
      'unchanged',
      'rejected',
      'matchedByEmail',
      'createdWithoutKey',
      'createdWithoutEmail',
      'lookAlikes',
    ],
    ...(contractOf('imports', 'upload').isRepeatable && { isRepeatable: true }),
  }),
  export: (resource, contractOf) => ({
    summary: `Export ${resource} to a CSV, NDJSON or Excel file`,
    description:
      `Writes all matching ${resource} to a file, or to stdout. \`${resource} import\` reads CSV and NDJSON back. ` +
      'A workbook (.xlsx) is for people: it has the columns of a list, with local dates and readable phone numbers. ' +
      `Needs the scopes \`${resource}:read\` and, for the sources of offices, \`offices:read\`.`,
    fields: contractOf(resource, 'list')
      .fields.filter(({ path: [first = ''] }) => !pageParameters.has(first))
      .map((field) =>
        // A list by relevance ends after the best matches.
        field.choices === undefined
          ? field
          : { ...field, choices: field.choices.filter((choice) => choice !== 'relevance') },
      ),
    returned: [],
    isQuery: true,
  }),
};

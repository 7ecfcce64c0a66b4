import { describe, expect, it } from 'vitest';
import { operationContract } from '../../src/contract/operations.ts';
import { resources } from '../../src/contract/resources.ts';
import { useTestService } from '../support/test-service.ts';

const { at } = useTestService();

const none = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
/** Commands that run until they are interrupted, and the one that asks for a confirmation on a terminal. */
const others = new Set(['tail', 'listen', 'delete']);

const commands = resources.flatMap(({ name, operations }) =>
  operations
    .filter((operation) => !others.has(operation))
    .map((operation) => {
      const { fields, hasId, pathFields = [] } = operationContract(name, operation);
      const required = fields.filter(({ isRequired }) => isRequired);
      const argumentsOf = (id: string) => (hasId ? [id, ...pathFields.map(() => id)] : []);
      return { name, operation, required, argumentsOf };
    }),
);

describe('a required option that is missing', () => {
  it.each(commands.filter(({ required }) => required.length > 0))(
    'of $name $operation is named, on a terminal as in a pipe',
    async ({ name, operation, required, argumentsOf }) => {
      const argv = [name, operation, ...argumentsOf(none)];
      const [terminal, pipe] = await Promise.all([at('terminal', argv), at('pipe', argv)]);
      expect(terminal).toEqual(pipe);
      expect(terminal).toMatchObject({ exit: 2, stdout: '' });
      for (const { flag } of required)
        expect(terminal.stderr).toMatch(new RegExp(`--${flag} (?:is required|must be one of)`));
    },
  );
});

describe('an id that is none', () => {
  it.each(commands.filter(({ argumentsOf }) => argumentsOf('').length > 0))(
    'of $name $operation is named, on a terminal as in a pipe',
    async ({ name, operation, required, argumentsOf }) => {
      const options = required.flatMap(({ flag, parts, example = '' }) => [
        `--${flag}`,
        parts === undefined ? example : parts.map((part) => `${part.name}=x`).join(','),
      ]);
      if (operation === 'update') options.push('--data', '{}');
      const argv = [name, operation, ...argumentsOf('no-id'), ...options];
      const [terminal, pipe] = await Promise.all([at('terminal', argv), at('pipe', argv)]);
      expect(terminal).toEqual(pipe);
      expect(terminal).toMatchObject({
        exit: 2,
        stdout: '',
        stderr: expect.stringContaining('<id> must be a UUID'),
      });
    },
  );
});

it.each([
  [['offices', 'deactivate', 'no-id', '--cascade'], '<id> must be a UUID'],
  [['offices', 'reactivate', 'no-id', '--cascade', '--dry-run'], '<id> must be a UUID'],
  [['jobs', 'undo', 'no-id', '--dry-run'], '<id> must be a UUID'],
  [['offices', 'reactivate', none, '--dry-run'], '--dry-run requires --cascade'],
  [['offices', 'update', none, '--phone', '1', '--dry-run'], "unknown option '--dry-run'"],
  [['agents', 'merge', none, '--duplicate-id', 'no-id'], '--duplicate-id must be a UUID'],
  [
    ['agents', 'bulk', '--office-id', 'no-id', '--deactivate', '--expect', '1', '--yes'],
    '--office-id (0) must be a UUID',
  ],
  [
    ['agents', 'bulk', '--all', '--set', 'email=none', '--expect', '1', '--yes'],
    '--set: email must be an email address',
  ],
  [
    ['agents', 'bulk', '--all', '--transfer-to', 'no-id', '--expect', '1', '--yes'],
    '--transfer-to must be a UUID',
  ],
])('what is wrong with %j is named by its option', async (argv, message) => {
  for (const output of ['terminal', 'pipe'] as const)
    expect(await at(output, argv)).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
});

import type { CommandUnknownOpts } from '@commander-js/extra-typings';

interface NamedCommand {
  command: CommandUnknownOpts;
  /** The first word that names no command where one is expected. */
  unknown: string | undefined;
}

function* withAncestors(command: CommandUnknownOpts): Generator<CommandUnknownOpts> {
  for (let at: CommandUnknownOpts | null = command; at !== null; at = at.parent) yield at;
}

export function optionsOf(command: CommandUnknownOpts) {
  return [...withAncestors(command)].flatMap(({ options }) => options);
}

/** Finds the command that a command line names before it is parsed: options and their values are skipped. */
export function namedCommand(argv: readonly string[], program: CommandUnknownOpts): NamedCommand {
  let command = program;
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--' || command.commands.length === 0) break;
    if (word.startsWith('-')) {
      if (optionsOf(command).some(({ long, short, required }) => required && [long, short].includes(word)))
        index += 1;
      continue;
    }
    const below = command.commands.find((one) => one.name() === word);
    if (below === undefined) return { command, unknown: word };
    command = below;
  }
  return { command, unknown: undefined };
}

import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { didYouMean, usageError } from '../../errors.ts';
import type { Runtime } from '../context.ts';
import { complete } from './candidates.ts';
import { COMPLETE_COMMAND, FILES, type Shell, scripts, shells } from './scripts.ts';

const installing = `
bash:  eval "$(roster completion bash)"      in ~/.bashrc
zsh:   eval "$(roster completion zsh)"       in ~/.zshrc, after compinit
fish:  roster completion fish > ~/.config/fish/completions/roster.fish`;

function isShell(name: string): name is Shell {
  return shells.some((shell) => shell === name);
}

export function completionCommand({ io }: Runtime): CommandUnknownOpts {
  const argument = new Argument('<shell>', `One of ${shells.join(', ')}`);
  argument.argChoices = [...shells];
  return new Command('completion')
    .summary('Print the completion script of a shell')
    .description('Prints a script that completes commands, options and values with the Tab key.')
    .addArgument(argument)
    .addHelpText('after', installing)
    .action((shell) => {
      if (!isShell(shell)) {
        const all = `Available are ${shells.join(', ')}.`;
        throw usageError(`there is no completion for ${shell}`, `${didYouMean(shell, shells)}${all}`);
      }
      io.stdout.write(scripts[shell]);
    });
}

/** The hidden command that the scripts call with the words of a command line. Prints a candidate per line: value, tab, description. */
export function completeCommand({ io }: Runtime): CommandUnknownOpts {
  return new Command(COMPLETE_COMMAND).argument('[words...]').action((words, _options, command) => {
    const candidates = complete(words, command.parent ?? command);
    const lines =
      candidates === 'files'
        ? [FILES]
        : candidates.map(({ value, description }) => `${value}\t${description.split('\n')[0]}`);
    io.stdout.write(lines.map((line) => `${line}\n`).join(''));
  });
}

import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { complete } from '../completion/candidates.ts';
import { COMPLETE_COMMAND, FILES, type Shell, scripts, shells } from '../completion/scripts.ts';
import type { Surroundings } from '../context/command-context.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { usageError } from '../errors/errors.ts';

const installing = `
bash:  eval "$(roster completion bash)"      in ~/.bashrc
zsh:   eval "$(roster completion zsh)"       in ~/.zshrc, after compinit
fish:  roster completion fish > ~/.config/fish/completions/roster.fish`;

function isShell(name: string): name is Shell {
  return (shells as readonly string[]).includes(name);
}

/** `completion <shell>`: the script that makes a shell complete our command lines. */
export function completionCommand({ io }: Surroundings): CommandUnknownOpts {
  const argument = new Argument('<shell>', `One of ${shells.join(', ')}`);
  argument.argChoices = [...shells];
  return new Command('completion')
    .summary('Print what makes a shell complete command lines')
    .description('Print a script that completes nouns, verbs, options and their values with the tab key.')
    .addArgument(argument)
    .addHelpText('after', installing)
    .action((shell) => {
      if (!isShell(shell)) {
        const all = `It can be ${shells.join(', ')}.`;
        throw usageError(`there is no completion for ${shell}`, `${didYouMean(shell, shells)}${all}`);
      }
      io.stdout.write(scripts[shell]);
    });
}

/** What the scripts call with the words of a command line: a candidate on each line, and a tab before what it is. */
export function completeCommand({ io }: Surroundings): CommandUnknownOpts {
  return new Command(COMPLETE_COMMAND).argument('[words...]').action((words, _options, command) => {
    const answer = complete(words, command.parent ?? command);
    const lines =
      answer === 'files'
        ? [FILES]
        : answer.map(({ value, description }) => `${value}\t${description.split('\n')[0]}`);
    io.stdout.write(lines.map((line) => `${line}\n`).join(''));
  });
}

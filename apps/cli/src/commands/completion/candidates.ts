import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { operationContract } from '../../contract/operations.ts';
import { collect, isRepeated } from '../../contract/options.ts';
import { optionsOf } from '../named-command.ts';

type Option = CommandUnknownOpts['options'][number];

interface Candidate {
  value: string;
  description: string;
}

/** Candidates, or `files` to leave the completion of file names to the shell. */
export type Completion = Candidate[] | 'files';

interface Position {
  command: CommandUnknownOpts;
  /** The option that the word is the value of. */
  option: Option | undefined;
  argumentCount: number;
  given: Set<string>;
}

function optionNamed(command: CommandUnknownOpts, word: string): Option | undefined {
  return optionsOf(command).find(({ long, short }) => long === word || short === word);
}

const takesValue = ({ required }: Option) => required;

function positionAfter(words: readonly string[], program: CommandUnknownOpts): Position {
  const position: Position = { command: program, option: undefined, argumentCount: 0, given: new Set() };
  for (const word of words) {
    if (position.option !== undefined) {
      position.option = undefined;
    } else if (word.startsWith('-')) {
      const [name = ''] = word.split('=');
      const option = optionNamed(position.command, name);
      position.given.add(name);
      if (option !== undefined && takesValue(option) && !word.includes('=')) position.option = option;
    } else {
      const below = position.command.commands.find((command) => command.name() === word);
      if (below !== undefined) position.command = below;
      else position.argumentCount += 1;
    }
  }
  return position;
}

const fileOptions = new Set(['--input', '--errors']);

const fieldOptions = new Set(['--json', '--jsonl', '--columns']);

/** The fields that may follow those already in the value: `name,` completes to `name,status`. */
function fieldsAfter(text: string, { parent, name }: { parent: string; name: string }): Candidate[] {
  const before = text.slice(0, text.lastIndexOf(',') + 1);
  const { returned } = operationContract(parent, name);
  const rest = returned.filter((field) => !before.split(',').includes(field));
  return rest.map((field) => ({ value: `${before}${field}`, description: '' }));
}

function valuesOf(option: Option, command: CommandUnknownOpts, text: string): Completion {
  if (fileOptions.has(option.long ?? '')) return 'files';
  if (fieldOptions.has(option.long ?? '') && command.parent?.parent) {
    return fieldsAfter(text, { parent: command.parent.name(), name: command.name() });
  }
  return (option.argChoices ?? []).map((value) => ({ value, description: '' }));
}

function repeatedOptions(command: CommandUnknownOpts): Set<string> {
  const { parent } = command;
  const fields = parent?.parent ? operationContract(parent.name(), command.name()).fields : [];
  const own = command.options.filter(({ parseArg }) => parseArg === collect);
  return new Set([
    ...fields.filter(isRepeated).map(({ flag }) => `--${flag}`),
    ...own.map(({ long }) => long ?? ''),
  ]);
}

function optionCandidates({ command, given }: Position): Candidate[] {
  const repeated = repeatedOptions(command);
  return optionsOf(command)
    .filter(({ long, hidden }) => long && !hidden && (!given.has(long) || repeated.has(long)))
    .map(({ long, description }) => ({ value: long ?? '', description }));
}

function wordCandidates({ command, argumentCount }: Position): Completion {
  const argument = command.registeredArguments[argumentCount];
  if (argument?.name() === 'file') return 'files';
  if (argument !== undefined) {
    return (argument.argChoices ?? []).map((value) => ({ value, description: '' }));
  }
  const help = command.createHelp();
  return help
    .visibleCommands(command)
    .map((below) => ({ value: below.name(), description: help.subcommandDescription(below) }));
}

function beginningWith(prefix: string, candidates: Completion): Completion {
  return candidates === 'files' ? candidates : candidates.filter(({ value }) => value.startsWith(prefix));
}

/** Completes the last word. In `--status=act`, the value is completed together with its option. */
export function complete(words: readonly string[], program: CommandUnknownOpts): Completion {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const position = positionAfter(before, program);
  const { command, option } = position;
  if (option !== undefined) return beginningWith(current, valuesOf(option, command, current));
  const at = current.indexOf('=');
  if (current.startsWith('--') && at > 0) {
    const named = optionNamed(command, current.slice(0, at));
    const values = named === undefined ? [] : valuesOf(named, command, current.slice(at + 1));
    if (values === 'files') return values;
    const joined = values.map(({ value }) => ({
      value: `${current.slice(0, at)}=${value}`,
      description: '',
    }));
    return beginningWith(current, joined);
  }
  // An option with an optional value takes the next word only if that is not an option.
  const last = optionNamed(command, before.at(-1) ?? '');
  if (last?.optional && !current.startsWith('-')) {
    const fitting = beginningWith(current, valuesOf(last, command, current));
    if (fitting !== 'files' && fitting.length > 0) return fitting;
  }
  return beginningWith(
    current,
    current.startsWith('-') ? optionCandidates(position) : wordCandidates(position),
  );
}

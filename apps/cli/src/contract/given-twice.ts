import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { usageError } from '../errors.ts';

/**
 * Makes it an error of the command line that an option with one value is there twice: commander would keep the last one. An option that
 * collects its values has an array, and a switch says nothing else the second time.
 */
export function rejectRepeatedOptions(command: CommandUnknownOpts): void {
  const given = new Set<string>();
  for (const option of command.options) {
    if (option.isBoolean()) continue;
    const name = option.attributeName();
    // After the listener of commander, which has set the value.
    command.on(`option:${option.name()}`, () => {
      if (given.has(name) && !Array.isArray(command.getOptionValue(name)))
        command.error(`error: option '${option.flags}' is given twice`);
      given.add(name);
    });
  }
}

/** The object that has these members. Throws a usage error if two of them have one name. */
export function objectOfMembers<Value>(
  members: readonly (readonly [name: string, value: Value])[],
  source: string,
): Record<string, Value> {
  const names = new Set<string>();
  for (const [name] of members) {
    if (names.has(name)) throw usageError(`${source}: ${name} is given twice`);
    names.add(name);
  }
  return Object.fromEntries(members);
}

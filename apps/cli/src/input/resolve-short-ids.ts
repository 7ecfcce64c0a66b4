import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Surroundings } from '../context/command-context.ts';
import { connectionOf } from '../context/connection.ts';
import { type IdKind, isShortId, ShortIds } from '../context/short-ids.ts';
import { verbContract } from '../contract/contract.ts';
import type { Field } from '../contract/types.ts';
import { nouns } from '../resources.ts';

/** Which records the option of a field names by their ids; none where it takes no ids. */
function kindsOf({ path, placeholder }: Field, own: IdKind | undefined): IdKind[] {
  const [name = ''] = path;
  if (placeholder !== 'id') return [];
  if (/officeId$/i.test(name)) return ['offices'];
  if (/agentId$/i.test(name)) return ['agents'];
  // The subject of an event.
  if (name === 'subject') return ['offices', 'agents', 'webhooks', 'keys'];
  return own === undefined ? [] : [own];
}

function ownKind(noun: string): IdKind | undefined {
  const found = nouns.find(({ name }) => name === noun)?.name;
  return found === 'events' ? undefined : found;
}

/** Puts whole ids into the place of short ones, in the arguments and options of a command that is about to run. */
export function resolveShortIds(action: CommandUnknownOpts, surroundings: Surroundings): void {
  const noun = action.parent?.name() ?? '';
  if (!nouns.some(({ name }) => name === noun)) return;
  const own = ownKind(noun);
  let ids: ShortIds | undefined;
  const resolved = (kinds: readonly IdKind[], text: unknown) => {
    if (typeof text !== 'string' || kinds.length === 0 || !isShortId(text)) return text;
    ids ??= new ShortIds(surroundings.env, connectionOf(action.optsWithGlobals(), surroundings).url);
    return ids.resolve(kinds, text);
  };
  for (const [index, argument] of action.registeredArguments.entries()) {
    if (argument.name() !== 'id' || own === undefined) continue;
    action.processedArgs[index] = resolved([own], action.processedArgs[index]);
  }
  const options = action.opts() as Record<string, unknown>;
  for (const field of verbContract(noun, action.name()).fields) {
    const name = field.flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const given = options[name];
    const kinds = given === undefined ? [] : kindsOf(field, own);
    if (kinds.length === 0) continue;
    const whole = Array.isArray(given) ? given.map((text) => resolved(kinds, text)) : resolved(kinds, given);
    action.setOptionValue(name, whole);
  }
}

import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { records } from '@roster/contract/records';
import type { Runtime } from '../context/command-context.ts';
import { connectionOf } from '../context/connection.ts';
import { operationContract } from '../contract/contract.ts';
import { kebab } from '../contract/fields.ts';
import type { Field } from '../contract/types.ts';
import { resources } from '../resources.ts';
import { type IdKind, isShortId, ShortIds } from '../short-ids.ts';

/** The kinds of records whose ids the option of a field takes; empty if it takes no ids. */
function kindsOf({ path, placeholder, refersTo }: Field, own: IdKind | undefined): IdKind[] {
  const [name = ''] = path;
  if (placeholder !== 'id') return [];
  if (refersTo !== undefined) return [refersTo as IdKind];
  if (name === 'personId') return ['people'];
  if (name === 'keyId') return ['keys'];
  if (name === 'actorId') return ['keys', 'people'];
  // The subject of an event.
  if (name === 'subject') {
    return [
      ...(Object.keys(records) as IdKind[]),
      'webhooks',
      'keys',
      'people',
      'invitations',
      'passkeys',
      'sessions',
    ];
  }
  return own === undefined ? [] : [own];
}

function ownKind(resource: string): IdKind | undefined {
  const found = resources.find(({ name }) => name === resource)?.name;
  const hasNone = ['events', 'stats', 'status', 'deleted-records'];
  return found === undefined || hasNone.includes(found) ? undefined : (found as IdKind);
}

/**
 * Replaces short ids by whole ones in the arguments and options of a command that is about to run. Throws a usage error for
 * an ambiguous or unknown short id.
 */
export function resolveShortIds(action: CommandUnknownOpts, runtime: Runtime): void {
  const resource = action.parent?.name() ?? '';
  if (!resources.some(({ name }) => name === resource)) return;
  const own = ownKind(resource);
  let ids: ShortIds | undefined;
  const resolved = (kinds: readonly IdKind[], text: unknown) => {
    if (typeof text !== 'string' || kinds.length === 0 || !isShortId(text)) return text;
    ids ??= new ShortIds(runtime.env, connectionOf(action.optsWithGlobals(), runtime).url);
    return ids.resolve(kinds, text);
  };
  const { fields, pathFields = [] } = operationContract(resource, action.name());
  for (const [index, argument] of action.registeredArguments.entries()) {
    const field = pathFields.find(({ flag }) => flag === argument.name());
    const kinds = field === undefined ? [] : kindsOf(field, own);
    if (argument.name() === 'id' && own !== undefined) kinds.push(own);
    action.processedArgs[index] = resolved(kinds, action.processedArgs[index]);
  }
  const options = action.opts() as Record<string, unknown>;
  for (const field of fields) {
    const name = field.flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const given = options[name];
    for (const [part, kind] of given === undefined ? [] : Object.entries(field.references ?? {})) {
      const before = new RegExp(`(?<=(?:^|,)${kebab(part)}=)[^,]+`);
      const replaced = (text: string) => text.replace(before, (id) => String(resolved([kind as IdKind], id)));
      action.setOptionValue(name, (given as string[]).map(replaced));
    }
    const kinds = given === undefined ? [] : kindsOf(field, own);
    if (kinds.length === 0) continue;
    const whole = Array.isArray(given) ? given.map((text) => resolved(kinds, text)) : resolved(kinds, given);
    action.setOptionValue(name, whole);
  }
}

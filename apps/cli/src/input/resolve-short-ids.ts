import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { records } from '@roster/contract/records';
import type { Runtime } from '../context/command-context.ts';
import { connectionOf } from '../context/connection.ts';
import { operationContract } from '../contract/contract.ts';
import { camelCase, kebab } from '../contract/fields.ts';
import type { Field } from '../contract/types.ts';
import { resources } from '../resources.ts';
import { isShortId, ShortIds } from '../short-ids.ts';

/** The resources whose ids an option takes that refers to no record of the directory. */
const referred: Readonly<Record<string, readonly string[]>> = {
  personId: ['people'],
  keyId: ['keys'],
  actorId: ['keys', 'people'],
  // The subject of an event.
  subject: [...Object.keys(records), 'webhooks', 'keys', 'people', 'invitations', 'passkeys', 'sessions'],
};

/** The resources whose ids the option of a field takes; empty if it takes no ids. */
function referredBy({ path, placeholder, refersTo }: Field, own: string): readonly string[] {
  if (placeholder !== 'id') return [];
  return refersTo === undefined ? (referred[path[0] ?? ''] ?? [own]) : [refersTo];
}

/**
 * Replaces short ids by whole ones in the arguments and options of a command that is about to run. Throws a usage error for
 * an ambiguous or unknown short id.
 */
export function resolveShortIds(action: CommandUnknownOpts, runtime: Runtime): void {
  const resource = action.parent?.name() ?? '';
  if (!resources.some(({ name }) => name === resource)) return;
  let ids: ShortIds | undefined;
  const resolved = (kinds: readonly string[], text: unknown) => {
    if (typeof text !== 'string' || kinds.length === 0 || !isShortId(text)) return text;
    ids ??= new ShortIds(runtime.env, connectionOf(action.optsWithGlobals(), runtime).url);
    return ids.resolve(kinds, text);
  };
  const { fields, pathFields = [] } = operationContract(resource, action.name());
  for (const [index, argument] of action.registeredArguments.entries()) {
    const field = pathFields.find(({ flag }) => flag === argument.name());
    const own = argument.name() === 'id' ? [resource] : [];
    const kinds = field === undefined ? own : referredBy(field, resource);
    action.processedArgs[index] = resolved(kinds, action.processedArgs[index]);
  }
  const options = action.opts() as Record<string, unknown>;
  for (const field of fields) {
    const name = camelCase(field.flag);
    const given = options[name];
    for (const { name: part, refersTo } of given === undefined ? [] : (field.parts ?? [])) {
      if (refersTo === undefined) continue;
      const before = new RegExp(`(?<=(?:^|,)${kebab(part)}=)[^,]+`);
      const replaced = (text: string) => text.replace(before, (id) => String(resolved([refersTo], id)));
      action.setOptionValue(name, (given as string[]).map(replaced));
    }
    const kinds = given === undefined ? [] : referredBy(field, resource);
    if (kinds.length === 0) continue;
    const whole = Array.isArray(given) ? given.map((text) => resolved(kinds, text)) : resolved(kinds, given);
    action.setOptionValue(name, whole);
  }
}

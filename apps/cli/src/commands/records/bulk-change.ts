import { bulkChangesOf, operationContract } from '../../contract/operations.ts';
import { type Input, inputOf, isRepeated, merged } from '../../contract/options.ts';
import { didYouMean, usageError } from '../../errors.ts';
import type { CommandContext } from '../context.ts';
import { readBody } from '../json-body.ts';

export interface ChangeOptions {
  set?: string[];
  data?: string;
  deactivate?: true;
  reactivate?: true;
  delete?: true;
  transferTo?: string;
}

/** The merge patch of `--set field=value`: a field by its name in the API (`address.city`), an empty value clears it. */
function parsePatch(resource: string, settings: readonly string[]): Input {
  const fields = operationContract(resource, 'update').fields.filter(({ isCondition }) => !isCondition);
  const names = fields.map(({ path }) => path.join('.'));
  const texts = new Map<string, string[]>();
  for (const setting of settings) {
    const at = setting.indexOf('=');
    const name = at < 1 ? setting : setting.slice(0, at);
    if (at < 1) throw usageError(`--set takes field=value, not "${setting}"`);
    if (!names.includes(name)) {
      throw usageError(
        `--set: there is no field ${name}`,
        `${didYouMean(name, names)}The fields are ${names.join(', ')}.`,
      );
    }
    texts.set(name, [...(texts.get(name) ?? []), setting.slice(at + 1)]);
  }
  let patch: Input = {};
  for (const field of fields) {
    const given = texts.get(field.path.join('.'));
    if (given === undefined) continue;
    if (given.length > 1 && !isRepeated(field))
      throw usageError(`--set: ${field.path.join('.')} is given twice`);
    patch = merged(patch, inputOf(field, isRepeated(field) ? given : (given[0] ?? '')));
  }
  return patch;
}

/** Throws a usage error unless the options describe exactly one change. */
export async function parseChange(
  resource: string,
  options: ChangeOptions,
  context: CommandContext,
): Promise<Input> {
  const { set, data, transferTo } = options;
  const isUpdate = set !== undefined || data !== undefined;
  const plain = (['deactivate', 'reactivate', 'delete'] as const).filter((type) => options[type]);
  const count = plain.length + (isUpdate ? 1 : 0) + (transferTo === undefined ? 0 : 1);
  if (count !== 1) {
    throw usageError(
      count === 0 ? 'there is nothing to change' : 'a job makes one kind of change',
      'Give one of --set or --data, --deactivate, --reactivate, --delete' +
        `${bulkChangesOf(resource).includes('transfer') ? ', --transfer-to' : ''}.`,
    );
  }
  if (isUpdate) {
    const body = await readBody(data ?? '{}', context);
    return { type: 'update', patch: merged(body, parsePatch(resource, set ?? [])) };
  }
  return transferTo === undefined ? { type: plain[0] } : { type: 'transfer', officeId: transferTo };
}

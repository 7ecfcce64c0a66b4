import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { FieldBlame } from '@roster/client';
import { column } from '../../columns.ts';
import type { ContextFactory } from '../../context/command-context.ts';
import { operationContract } from '../../contract/contract.ts';
import { actorOf } from '../../history/actor-names.ts';
import { addColumns, columnsWanted } from '../../output/json-option.ts';
import type { Resource } from '../../resources.ts';
import { buildRecordCommand } from '../command-builder.ts';

const columns = [
  column<FieldBlame>('field', 'FIELD'),
  { field: 'value', title: 'VALUE', widthMin: 14 },
  column<FieldBlame>('version', 'VERSION'),
  column<FieldBlame>('occurredAt', 'TIME', 11),
  column<FieldBlame>('actorName', 'ACTOR', 10),
];

/** `blame <id>`: the change that set each field of a record last. */
export function blameCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const command = buildRecordCommand(resource, 'blame');
  addColumns(command);
  return command.action(async (id, _options, command) => {
    const { procedures, callOptions, printer, io, json } = await createContext(resource, command);
    const { items } = await procedures.blame.query({ id }, callOptions);
    const named = (item: FieldBlame) => ({
      ...item,
      actorName: item.version === null ? null : actorOf(item),
    });
    const shown = io.isTerminal && json === undefined ? items.map(named) : items;
    const wanted = columnsWanted(command.opts(), operationContract(resource.name, 'blame'), columns);
    async function* page() {
      yield { items: shown };
    }
    await printer.pages(page(), wanted);
  });
}

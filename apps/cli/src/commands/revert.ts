import { type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import type { Start } from '../context/command-context.ts';
import { verbContract } from '../contract/contract.ts';
import { type TwoStates, withEarlier } from '../history/earlier-version.ts';
import { change } from '../input/apply-change.ts';
import { type Input, inputOf } from '../input/fields.ts';
import { mergePatch, writableOf } from '../input/merge-patch.ts';
import { reportChange } from '../output/report-change.ts';
import type { Noun } from '../resources.ts';
import { recordCommand } from './command-builder.ts';

function versionOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes the number of a version.');
}

/** The update that makes a record what it was; undefined where it is so already. */
function updateTo({ current, earlier }: TwoStates, noun: Noun): Input | undefined {
  const patch = mergePatch(writableOf(noun, current), writableOf(noun, earlier));
  if (Object.keys(patch).length === 0) return undefined;
  const { namePlace } = noun;
  // A name that is made of others would follow them, unless it is said too.
  return { ...patch, [namePlace]: earlier[namePlace] };
}

/** What an update does not reach. */
function noteOn({ current, earlier }: TwoStates, { name }: Noun): string {
  if (current.status === earlier.status) return '';
  const verb = earlier.status === 'active' ? 'reactivate' : 'deactivate';
  return (
    `The status is not touched: it stays ${current.status}, and was ${earlier.status} in version ${earlier.version}. ` +
    `Change it with: roster ${name} ${verb} ${current.id}\n`
  );
}

/** `revert <id> --to <version>`: an update to what the record was. */
export function revertCommand(noun: Noun, start: Start): CommandUnknownOpts {
  const { fields } = verbContract(noun.name, 'revert');
  return recordCommand(noun, 'revert')
    .requiredOption('--to <version>', 'The version to go back to; history shows them; required', versionOf)
    .action(async (id, options, command) => {
      const session = await start(noun, command);
      const { io } = session;
      const states = await withEarlier(noun, { id, version: options.to }, session);
      const { current } = states;
      io.stderr.write(noteOn(states, noun));
      const update = updateTo(states, noun);
      if (update === undefined && !session.isDryRun) {
        io.stderr.write(
          `The ${noun.singular} is what it was in version ${options.to}; nothing was changed.\n`,
        );
        if (!io.isTerminal || session.json !== undefined) await session.printer.record(current);
        return;
      }
      const input = { ifVersion: current.version, ...inputOf(fields, options), ...update, id };
      const done = await change({ noun, verb: 'update', input }, session);
      if (done?.record !== undefined)
        await reportChange(
          { noun, verb: 'revert', record: done.record, with: `to version ${options.to}` },
          session,
        );
    });
}

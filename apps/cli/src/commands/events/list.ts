import { otherListCommand } from '../lists.ts';
import { recordNames } from '../record-names.ts';
import { actorNames } from './actor-names.ts';

export const listEventsCommand = otherListCommand({
  operation: 'list',
  names: ({ name, singular }) => [singular, name],
  columns: (resource) => resource.columns({}),
  shown: (context, resource) => {
    if (!context.printer.isForPeople) return (rows) => [...rows];
    const [actorsOf, named] = [actorNames(context), recordNames(resource.columns({}), context)];
    return async (rows) => {
      const actorOf = await actorsOf(rows.map(({ actorId }) => actorId as string | null));
      return (await named(rows)).map((row) => ({
        ...row,
        actorId: row.actorId === null ? null : actorOf(String(row.actorId)),
      }));
    };
  },
});

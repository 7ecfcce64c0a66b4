import type { Row } from '../../contract/columns.ts';
import { askChoice } from '../../ui/prompts.ts';
import { printable } from '../../ui/text.ts';
import type { CommandContext } from '../context.ts';

type Choice = 'survivor' | 'duplicate';

/** Fields that differ between all records, and that no choice is about. */
const ofEach = new Set(['id', 'version', 'scheduledChanges', 'displayName']);

const textOf = (value: unknown) => printable(typeof value === 'string' ? value : JSON.stringify(value));

const hasValue = (value: unknown) =>
  value !== null && value !== undefined && !(typeof value === 'object' && Object.keys(value).length === 0);

const comparable = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : value);

/** Whether both values can stay: those of lists, and of an object, such as an address, whose parts do not contradict each other. */
function canBothStay(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null) return false;
  if (Array.isArray(one)) return true;
  const parts = new Map(Object.entries(Object(other)));
  return Object.entries(one).every(
    ([part, value]) =>
      !hasValue(value) || !hasValue(parts.get(part)) || comparable(value) === comparable(parts.get(part)),
  );
}

/** The fields of which only one of two different values can stay. */
export function fieldsThatDiffer(survivor: Row, duplicate: Row, writable: ReadonlySet<string>): string[] {
  return Object.keys(survivor).filter((name) => {
    const [one, other] = [survivor[name], duplicate[name]];
    const isChoice = writable.has(name) && !ofEach.has(name) && name !== 'metadata';
    return (
      isChoice &&
      hasValue(one) &&
      hasValue(other) &&
      !canBothStay(one, other) &&
      textOf(one) !== textOf(other)
    );
  });
}

/** Asks for each of these fields which value stays. `writable` are the fields that a choice can be about. */
export async function askForMerge(
  { survivor, duplicate, writable }: { survivor: Row; duplicate: Row; writable: ReadonlySet<string> },
  { io, callOptions }: CommandContext,
): Promise<Record<string, Choice>> {
  const choices: Record<string, Choice> = {};
  for (const name of fieldsThatDiffer(survivor, duplicate, writable)) {
    const values: { value: Choice; name: string }[] = [
      { value: 'survivor', name: textOf(survivor[name]) },
      { value: 'duplicate', name: textOf(duplicate[name]) },
    ];
    choices[name] = await askChoice({ message: name, choices: values }, io, callOptions.signal);
  }
  return choices;
}

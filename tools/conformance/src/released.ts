type Json = Record<string, unknown>;

/** Whether a list of choices is that of the error codes, of event types or of scopes, of which clients are told that more may come. */
function isOpenEnum(name: string, choices: unknown): boolean {
  const open = ['bad_request', 'office.created', 'agent.created', 'keys:manage'];
  return name === 'enum' && Array.isArray(choices) && open.some((choice) => choices.includes(choice));
}

/**
 * The kinds of a union with those that came later, if it is that of the events: `type` tells them apart, and the documentation
 * of events tells readers to ignore the types that they do not know.
 */
function withLaterEvents(name: string, released: unknown, now: unknown): unknown {
  if (name !== 'oneOf' || !Array.isArray(released) || !Array.isArray(now)) return released;
  const isEvent = (kind: unknown) =>
    isObject(kind) && /^#\/components\/schemas\/\w+Event$/.test(String(kind.$ref));
  return now.every(isEvent) ? now : released;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The part of a list that a part of the released list has become: parameters have names, whatever their order. */
function laterPart(part: unknown, index: number, now: unknown): unknown {
  if (!Array.isArray(now)) return undefined;
  if (!isObject(part) || !('in' in part)) return now[index];
  return now.find((other) => isObject(other) && other.name === part.name && other.in === part.in);
}

function withRules(released: unknown, now: unknown): unknown {
  if (Array.isArray(released))
    return released.map((part, index) => withRules(part, laterPart(part, index, now)));
  if (!isObject(released) || !isObject(now)) return released;
  const parts = Object.entries(released).map(([name, part]) => {
    const isKnown =
      isOpenEnum(name, part) ||
      // The comparison takes a parameter with another description for one that was renamed.
      (name === 'description' && 'in' in released);
    return [name, isKnown ? now[name] : withRules(withLaterEvents(name, part, now[name]), now[name])];
  });
  return Object.fromEntries(parts);
}

/** The released document for comparison with a later one, to which only what clients are told to expect may have been added. */
export function withKnownRules(released: Json, now: Json): Json {
  return withRules(released, now) as Json;
}

type Json = Record<string, unknown>;

/**
 * What the service has always enforced or kept to and the released document does not say: patterns of texts, formats, bounds
 * of lists in answers. Said by a later document, none of it breaks a client.
 */
const known: Record<string, ReadonlySet<unknown>> = {
  pattern: new Set([
    '^[^\\u0000]*$',
    '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
    '^[\\w-]+$',
    '^[\\w.:/+=-]{1,128}$',
    '^(latest|(0|[1-9]\\d{0,15})~?)$',
    '^\\s*(\\*|(W/)?"[^"]*"(\\s*,\\s*(W/)?"[^"]*")*)\\s*$',
    '^("([ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"|[!#-~]([ !#-~]{0,253}[!#-~])?)$',
  ]),
  format: new Set(['int32', 'int64', 'iri']),
  maxItems: new Set([10, 100, 200, 500, 1_000]),
};

/** Patterns that were widened: of an entity tag, which is opaque to clients (RFC 9110, section 8.8.3). */
const widened = new Map([['^"\\d+"$', '^"\\d+(-(br|gzip|deflate))?"$']]);

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

/** Whether the pairs of a caller's metadata are the same but for null, which a create takes as a merge patch does. */
function takesNullToo({ type, maxLength }: Json, { anyOf }: Json): boolean {
  if (type !== 'string' || maxLength !== 500 || !Array.isArray(anyOf)) return false;
  const [value, none] = anyOf as Json[];
  return anyOf.length === 2 && value?.maxLength === 500 && none?.type === 'null';
}

/** The part of a list that a part of the released list has become: parameters have names, whatever their order. */
function laterPart(part: unknown, index: number, now: unknown): unknown {
  if (!Array.isArray(now)) return undefined;
  if (!isObject(part) || !('in' in part)) return now[index];
  return now.find((other) => isObject(other) && other.name === part.name && other.in === part.in);
}

/** Whether a type of event is one of a record: the released document knows no others. */
function isOfRecordEvents(released: Json, now: Json): boolean {
  const schemas = '#/components/schemas';
  return released.$ref === `${schemas}/EventType` && now.$ref === `${schemas}/RecordEventType`;
}

function withRules(released: unknown, now: unknown): unknown {
  if (Array.isArray(released))
    return released.map((part, index) => withRules(part, laterPart(part, index, now)));
  if (!isObject(released) || !isObject(now)) return released;
  const parts = Object.entries(released).map(([name, part]) => {
    const isKnown =
      isOpenEnum(name, part) ||
      // The comparison takes a parameter with another description for one that was renamed.
      (name === 'description' && 'in' in released) ||
      (name === 'pattern' && widened.get(String(part)) === now[name]);
    return [name, isKnown ? now[name] : withRules(withLaterEvents(name, part, now[name]), now[name])];
  });
  const added = Object.entries(known)
    .filter(([name, values]) => !(name in released) && values.has(now[name]))
    .map(([name]) => [name, now[name]]);
  const whole: Json = Object.fromEntries([...parts, ...added]);
  if (takesNullToo(released, now) || isOfRecordEvents(released, now)) return now;
  if (whole.additionalProperties === false && !('additionalProperties' in now))
    delete whole.additionalProperties;
  // The log of events has no cursors of its own, and never sent the header.
  if (isObject(whole.Link) && !('Link' in now)) delete whole.Link;
  return whole;
}

/** Whether every operation says by itself who may call it, so that what the document says for all of them adds nothing. */
function isSecuredThroughout({ paths }: Json): boolean {
  const operations = Object.values(paths as Record<string, Json>).flatMap(Object.values);
  return operations.every((operation) => isObject(operation) && 'security' in operation);
}

const schemasOf = ({ components }: Json): Json => (components as { schemas: Json }).schemas;

/**
 * The released document with what is known of the service, for comparison with a later one, whose answers are open to
 * further fields: those of the released document are taken to be open too. Once a document that says all this is the
 * released one, this changes nothing.
 */
export function withKnownRules(released: Json, now: Json): Json {
  // Of imports, `rejected` was `refused`, as the CHANGELOG says.
  const renamed = JSON.parse(JSON.stringify(released).replaceAll('"refused"', '"rejected"'));
  const whole = withRules(renamed, now) as Json;
  const [to, from] = [schemasOf(whole), schemasOf(now)];
  if ('RecordEventType' in from) to.RecordEventType ??= from.RecordEventType;
  return isSecuredThroughout(released) && 'security' in now ? { ...whole, security: now.security } : whole;
}

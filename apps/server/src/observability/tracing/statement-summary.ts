const SUMMARIES_MAX = 1_000;
const PARTS_MAX = 6;

const part = /\b(select)\b|\b(insert into|update|delete from|merge into|from|join)\s+"?(\w+)"?/gi;
const notTables = new Set([
  'only',
  'lateral',
  'set',
  'skip',
  'of',
  'json_each',
  'unnest',
  'json_array_elements',
]);

const known = new Map<string, string>();

/**
 * The verbs of a statement and the tables that they are about, in few words (`db.query.summary` of OpenTelemetry): `SELECT
 * office`, `UPDATE agent INSERT event`. Names that its `with` gives to its own parts are left out.
 */
export function summaryOf(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  const summary = summarized(text);
  if (known.size >= SUMMARIES_MAX) known.clear();
  known.set(text, summary);
  return summary;
}

function summarized(text: string): string {
  const own = new Set(
    Array.from(text.matchAll(/(?:\bwith|,)\s+(\w+)\s+as\s+(?:materialized\s+)?\(/gi), ([, name]) => name),
  );
  const parts = new Set<string>();
  for (const [, , verb, table = ''] of text.matchAll(part)) {
    if (verb === undefined || own.has(table) || notTables.has(table.toLowerCase())) continue;
    const [first = ''] = verb.toUpperCase().split(' ');
    parts.add(`${first === 'FROM' || first === 'JOIN' ? 'SELECT' : first} ${table}`);
  }
  const [first = ''] = /\w+/.exec(text) ?? [];
  return parts.size === 0 ? first.toUpperCase() : [...parts].slice(0, PARTS_MAX).join(' ');
}

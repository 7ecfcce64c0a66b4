import json from '../generated/patterns.json' with { type: 'json' };

/** The patterns that the texts of some kinds match. */
export const patterns: Record<'reference' | 'date' | 'time' | 'country', string> = json;

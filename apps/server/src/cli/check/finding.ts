/** The result of one check. */
export interface Finding {
  /** A problem keeps the server from starting or from working; a warning is for a person to judge. */
  level: 'ok' | 'warning' | 'problem';
  /** The subject of the check, in one word. */
  subject: string;
  /** The result and what follows from it, for people; never a secret. */
  detail: string;
  /** The same for programs. */
  values?: Record<string, unknown>;
}

/** A finding before it has its subject. */
export type Result = Omit<Finding, 'subject'>;

type Values = Finding['values'];

/** The check succeeded. */
export const ok = (detail: string, values?: Values): Result => resultOf('ok', detail, values);

/** The server would start, but something may be wrong. */
export const warning = (detail: string, values?: Values): Result => resultOf('warning', detail, values);

/** The server would not start, or not work. */
export const problem = (detail: string, values?: Values): Result => resultOf('problem', detail, values);

function resultOf(level: Finding['level'], detail: string, values: Values): Result {
  return { level, detail, ...(values && { values }) };
}

const labels = { ok: 'ok', warning: 'WARNING', problem: 'PROBLEM' };

/** A finding as a line of `--check`. */
export function formatFinding({ level, subject, detail }: Finding): string {
  return `${labels[level].padEnd(8)} ${subject.padEnd(14)} ${detail}`;
}

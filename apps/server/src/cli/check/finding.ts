export interface Finding {
  /** A problem keeps the server from starting or from working; a person has to judge a warning. */
  level: 'ok' | 'warning' | 'problem';
  subject: string;
  /** For people; never a secret. */
  detail: string;
  values?: Record<string, unknown>;
}

export type Result = Omit<Finding, 'subject'>;

type Values = Finding['values'];

export const ok = (detail: string, values?: Values): Result => resultOf('ok', detail, values);

export const warning = (detail: string, values?: Values): Result => resultOf('warning', detail, values);

export const problem = (detail: string, values?: Values): Result => resultOf('problem', detail, values);

function resultOf(level: Finding['level'], detail: string, values: Values): Result {
  return { level, detail, ...(values && { values }) };
}

const labels = { ok: 'ok', warning: 'WARNING', problem: 'PROBLEM' };

export function formatFinding({ level, subject, detail }: Finding): string {
  return `${labels[level].padEnd(8)} ${subject.padEnd(14)} ${detail}`;
}

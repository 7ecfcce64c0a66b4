/** What an attack calls, with what, and for how long. */
export interface AttackTarget {
  /** The port of the service on this machine. */
  port: number;
  /** The address of this machine that it calls from; the system chooses one unless given. */
  localAddress?: string;
  /** A valid key of its own. */
  key: string;
  /** Webhooks whose receiver takes connections and never answers. */
  webhookIds: readonly string[];
  /** The share of its connections that an attack opens, above 0 and at most 1; each opens at least one. */
  scale: number;
  /** Fires when the attack ends. */
  signal: AbortSignal;
}

/** What the attacker got: each status of an answer, or how a connection ended without one, and how often. */
export type Outcomes = Map<string, number>;

/** An attack: what one caller does to take more than its share. Ends when its signal fires. */
export type Attack = (target: AttackTarget, outcomes: Outcomes) => Promise<void>;

export function count(outcomes: Outcomes, outcome: string): void {
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}

/** How many connections an attack opens. */
export function scaled(connections: number, { scale }: Pick<AttackTarget, 'scale'>): number {
  return Math.max(1, Math.round(connections * scale));
}

/** The head of a request, ready to be sent. */
export function head(
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>>,
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`;
}

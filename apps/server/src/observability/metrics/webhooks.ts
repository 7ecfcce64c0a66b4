import type { AttemptResult, Sender } from '@roster/api/server';
import { Counter, type Registry } from 'prom-client';

/** Counts what comes of calling receivers. Answers a sender that does what the one it is given does. */
export function measureAttempts(registry: Registry): (sender: Sender) => Sender {
  const attempts = new Counter({
    name: 'roster_webhook_attempts_total',
    help: 'Attempts to call a receiver, tests among them: delivered (2xx), refused (any other status), unanswered.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return (sender) => ({
    ...sender,
    async send(message, options) {
      const answer = await sender.send(message, options);
      attempts.labels(outcomeOf(answer)).inc();
      return answer;
    },
  });
}

function outcomeOf({ attempt: { status } }: AttemptResult): 'delivered' | 'refused' | 'unanswered' {
  if (status === null) return 'unanswered';
  return status >= 200 && status < 300 ? 'delivered' : 'refused';
}

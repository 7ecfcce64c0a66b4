import type { Sender } from '@roster/api/server';
import { Counter, type Registry } from 'prom-client';

/** Returns a function that wraps a sender, so that the outcome of each of its attempts is counted. */
export function measureAttempts(registry: Registry): (sender: Sender) => Sender {
  const attempts = new Counter({
    name: 'roster_webhook_attempts_total',
    help: 'Attempts to call a receiver, tests among them: delivered (2xx), rejected (any other status), no_response.',
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

function outcomeOf({
  attempt: { status },
}: Awaited<ReturnType<Sender['send']>>): 'delivered' | 'rejected' | 'no_response' {
  if (status === null) return 'no_response';
  return status >= 200 && status < 300 ? 'delivered' : 'rejected';
}

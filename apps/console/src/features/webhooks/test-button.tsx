import { useLingui } from '@lingui/react/macro';
import type { Webhook } from '@roster/client';
import { useMutation } from '@tanstack/react-query';
import { roster } from '../../api/client.ts';
import { Send } from '../../more-icons.tsx';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBox } from '../../ui/details.tsx';
import { messageOf } from '../../ui/error-message.ts';

export function TestButton({ item: { id } }: { item: Webhook }) {
  const { t } = useLingui();
  const test = useMutation({ mutationFn: () => roster.webhooks.test.mutate({ id }) });
  const { data: result, error } = test;
  return (
    <>
      <Button disabled={test.isPending} onClick={() => test.mutate()}>
        <Send aria-hidden />
        {test.isPending ? t`Testing…` : t`Test`}
      </Button>
      <div role="status" className="order-last w-full">
        {error !== null && <Callout tone="danger" title={messageOf(error)} />}
        {result !== undefined && !test.isPending && (
          <Callout
            tone={result.error === null ? 'good' : 'danger'}
            title={
              result.error ?? t`The receiver returned ${result.status ?? ''} after ${result.durationMs} ms.`
            }
          >
            {result.body !== null && result.body !== '' && <CodeBox>{result.body}</CodeBox>}
          </Callout>
        )}
      </div>
    </>
  );
}

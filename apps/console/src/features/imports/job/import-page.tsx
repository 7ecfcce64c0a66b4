import { useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { rosterQuery } from '../../../api/client.ts';
import { isEnded, pauseUntilEnded } from '../../../api/jobs.ts';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { Page } from '../../../ui/page.tsx';
import { ImportsLink, Steps } from '../import-labels.tsx';
import { CheckedStep } from './checked-step.tsx';
import { InterruptedStep, ProgressStep } from './progress-step.tsx';
import { WrittenStep } from './written-step.tsx';

/** An import, read again and again until its job has ended. */
function useImport(id: string) {
  const client = useQueryClient();
  const found = useQuery({
    ...rosterQuery('imports', 'get', { id }),
    refetchInterval: pauseUntilEnded,
  });
  const state = found.data && `${found.data.step} ${found.data.finishedAt}`;
  useEffect(() => {
    // With each end of a step there are other rows.
    if (state === undefined) return;
    for (const procedure of ['rows', 'errorGroups', 'corrections'])
      void client.invalidateQueries({ queryKey: ['imports', procedure] });
  }, [client, state]);
  return found;
}

/** The import as it was checked last: it stays there while its corrected rows are checked again. */
function useChecked(current: Import): Import | undefined {
  const [checked, setChecked] = useState<Import>();
  const isNew = isEnded(current) && current.step === 'check' && current.findings !== null;
  if (isNew && checked !== current) setChecked(current);
  return isNew ? current : current.step === 'write' ? undefined : checked;
}

function Step({ current }: { current: Import }) {
  const checked = useChecked(current);
  if (!isEnded(current))
    return checked === undefined ? (
      <ProgressStep current={current} />
    ) : (
      <CheckedStep checked={checked} isChecking />
    );
  if (current.status === 'cancelled' || current.status === 'failed')
    return <InterruptedStep current={current} />;
  return current.step === 'write' ? (
    <WrittenStep written={current} />
  ) : (
    <CheckedStep checked={current} isChecking={false} />
  );
}

/** One import of the service: its check, what it would change, its writing, and its undo. Its URL is all that it takes to come back to it. */
export function ImportPage() {
  const { t } = useLingui();
  const { id } = useParams({ from: '/signed-in/imports/$id' });
  const { data: current, error, isError, refetch } = useImport(id);
  if (current === undefined)
    return (
      <Page above={<ImportsLink />} title={t({ message: 'Import', context: 'title' })} width="text">
        {isError && <ErrorBox error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  return (
    <Page
      above={<ImportsLink />}
      title={current.name ?? t({ message: 'Import', context: 'title' })}
      width="full"
      actions={<Steps current={current.step === 'write' ? 2 : 1} />}
    >
      {isError && <ErrorBox error={error} onRetry={() => void refetch()} />}
      <Step current={current} />
    </Page>
  );
}

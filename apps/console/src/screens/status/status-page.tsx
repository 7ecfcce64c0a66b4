import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { rosterQuery } from '../../api/client.ts';
import { Callout } from '../../components/badge.tsx';
import { Part } from '../../components/details.tsx';
import { ErrorBox } from '../../components/error-text.tsx';
import { Page } from '../../components/page.tsx';
import { DatabaseFacts, Servers } from './deployment.tsx';
import { type Problem, problemsOf } from './problems.ts';
import { Queues } from './queues.tsx';

/** The time between two readings while the page is visible, in milliseconds. */
const REFETCH_MS = 3_000;

/** Whether all is well, and if not, what is wrong, in words. */
function Verdict({ problems }: { problems: readonly Problem[] }) {
  const { t } = useLingui();
  const tone = problems[0]?.tone ?? 'good';
  return (
    <div role="status">
      <Callout
        // Not an alert: it is there when the page is opened, and the status around it is read out.
        tone={tone === 'danger' ? 'warning' : tone}
        title={problems.length === 0 ? t`Everything works.` : t`This needs attention:`}
      >
        {problems.length > 0 && (
          <ul className="list-disc ps-5">
            {problems.map(({ id, message, tone: own }) => (
              <li key={id} className={own === 'danger' ? 'font-semibold text-danger' : undefined}>
                {t(message)}
              </li>
            ))}
          </ul>
        )}
      </Callout>
    </div>
  );
}

/** The state of the service: its problems first, then what waits, the servers and the database. */
export function StatusPage() {
  const { t, i18n } = useLingui();
  const {
    data: status,
    error,
    refetch,
  } = useQuery({ ...rosterQuery('status', 'get', {}), refetchInterval: REFETCH_MS });
  return (
    <Page title={t`Status`} intro={t`How the service is doing right now, for those who run it.`}>
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {status !== undefined && (
        <div className="flex flex-col gap-6">
          <div className="flex flex-col gap-1">
            {error === null && <Verdict problems={problemsOf(status)} />}
            <p className="text-muted text-xs">
              <Trans>
                As of <time dateTime={status.asOf}>{i18n.date(status.asOf, { timeStyle: 'medium' })}</time>,
                refreshed every few seconds
              </Trans>
            </p>
          </div>
          <Part level={2} title={<Trans>Queues</Trans>}>
            <Queues status={status} />
          </Part>
          <Part level={2} title={<Trans>Servers</Trans>}>
            <Servers status={status} />
          </Part>
          <Part level={2} title={<Trans>Service and database</Trans>}>
            <DatabaseFacts status={status} />
          </Part>
        </div>
      )}
    </Page>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import type { Person } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { rosterQuery } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { DetailPanel } from '../../components/detail-panel.tsx';
import { Detail, Details, Part } from '../../components/details.tsx';
import { ExactTime, RelativeTime } from '../../components/time.tsx';
import { lazyComponent } from '../../page/lazy-components.ts';
import { SignInWay } from './invitation.tsx';
import { PersonActions } from './person-actions.tsx';
import { Grants, statusLabels, statusTones } from './roles.tsx';

const PasskeyList = lazyComponent(() => import('../../sessions/passkey-list.tsx'), 'PasskeyList');
const SessionList = lazyComponent(() => import('../../sessions/session-list.tsx'), 'SessionList');

function PersonDetails({ item }: { item: Person }) {
  const { t } = useLingui();
  return (
    <Details>
      <Detail label={t`State`}>
        <Badge tone={statusTones[item.status]}>{t(statusLabels[item.status])}</Badge>
      </Detail>
      <Detail label={t`E-mail`}>
        <span className="break-all">{item.email}</span>
      </Detail>
      <Detail label={t`Grants`}>
        <Grants grants={item.grants} max={100} />
      </Detail>
      <Detail label={t`Last sign-in`}>
        {item.lastSignedInAt === null ? t`Never` : <RelativeTime time={item.lastSignedInAt} />}
      </Detail>
      <Detail label={t`Invited`}>
        <ExactTime time={item.createdAt} />
      </Detail>
      <Detail label={t`Invited by`}>{item.createdBy?.name}</Detail>
      <Detail label={t({ message: 'Changed', context: 'time' })}>
        <ExactTime time={item.updatedAt} />
      </Detail>
    </Details>
  );
}

/** One person beside the list, with their sessions. */
export function PersonPanel() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false });
  const { data: item, error, refetch } = useQuery(rosterQuery('people', 'get', { id }));
  return (
    <DetailPanel
      key={id}
      listPath="/people"
      isWide
      title={item?.name ?? t`Person`}
      error={item === undefined ? error : null}
      onRetry={() => void refetch()}
    >
      {item !== undefined && (
        <>
          <PersonActions item={item} />
          <SignInWay person={item} />
          <PersonDetails item={item} />
          {item.signInWay === 'passkey' && (
            <Part title={<Trans>Passkeys</Trans>}>
              <Suspense>
                <PasskeyList personId={id} />
              </Suspense>
            </Part>
          )}
          <Part title={<Trans>Sessions</Trans>}>
            <Suspense>
              <SessionList owner={{ personId: id }} />
            </Suspense>
          </Part>
        </>
      )}
    </DetailPanel>
  );
}

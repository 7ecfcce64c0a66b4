import { Trans, useLingui } from '@lingui/react/macro';
import type { Key } from '@roster/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { roster, rosterQuery } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { Button, buttonClasses } from '../../components/button.tsx';
import { DetailPanel } from '../../components/detail-panel.tsx';
import { Detail, Details } from '../../components/details.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';
import { OfficeNames } from '../../components/record-name.tsx';
import { ExactTime, RelativeTime } from '../../components/time.tsx';
import { EditKeyDialog } from './key-form.tsx';
import { RotateDialog, type Rotated, SecretEnds } from './rotate-dialog.tsx';
import { scopeLabels, stateOfKey } from './scope-labels.ts';

function KeyDetails({ item }: { item: Key }) {
  const { t } = useLingui();
  const { label, tone } = stateOfKey(item);
  return (
    <Details>
      <Detail label={t`State`}>
        <Badge tone={tone}>{t(label)}</Badge>
      </Detail>
      <Detail label={t`Prefix`}>
        <code>{item.hint}…</code>
      </Detail>
      <Detail label={t`Scopes`}>
        <ul>
          {item.scopes.map((scope) => (
            <li key={scope}>
              {t(scopeLabels[scope])} <code className="text-muted text-xs">{scope}</code>
            </li>
          ))}
        </ul>
      </Detail>
      <Detail label={t`Offices`}>
        <OfficeNames ids={item.officeIds} max={100} />
      </Detail>
      <Detail label={t`Last use`}>
        {item.lastUsedAt === null ? t`Never` : <RelativeTime time={item.lastUsedAt} />}
      </Detail>
      <Detail label={t`Expires`}>
        {item.expiresAt === null ? t`Never` : <ExactTime time={item.expiresAt} />}
      </Detail>
      <Detail label={t`Revoked`}>{item.revokedAt && <ExactTime time={item.revokedAt} />}</Detail>
      <Detail label={t({ message: 'Created', context: 'time' })}>
        <ExactTime time={item.createdAt} />
      </Detail>
      <Detail label={t`Created by`}>{item.createdBy?.name}</Detail>
      <Detail label={t({ message: 'Changed', context: 'time' })}>
        <ExactTime time={item.updatedAt} />
      </Detail>
      <Detail label={t`Id`}>
        <code className="text-xs">{item.id}</code>
      </Detail>
    </Details>
  );
}

function RevokeDialog({ item, onClose }: { item: Key; onClose: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const revoke = async () => {
    await roster.keys.revoke.mutate({ id: item.id });
    void client.invalidateQueries({ queryKey: ['keys'] });
  };
  return (
    <ConfirmDialog
      title={t`Revoke ${item.name}?`}
      confirmLabel={t`Revoke for good`}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>
        <Trans>
          Programs with this key are rejected within a second, and its sessions end. This cannot be undone.
        </Trans>
      </p>
      <p className="font-medium">
        {item.lastUsedAt === null ? (
          <Trans>It was never used.</Trans>
        ) : (
          <Trans>
            It was last used <RelativeTime time={item.lastUsedAt} /> (<ExactTime time={item.lastUsedAt} />
            ).
          </Trans>
        )}
      </p>
    </ConfirmDialog>
  );
}

type Open = 'edit' | 'rotate' | 'revoke' | undefined;

function Actions({ item }: { item: Key }) {
  const { t } = useLingui();
  const { can } = useRights();
  const [open, setOpen] = useState<Open>();
  const [rotated, setRotated] = useState<Rotated>();
  const close = () => setOpen(undefined);
  return (
    <div className="flex flex-wrap gap-2">
      {item.revokedAt === null && (
        <>
          <Button onClick={() => setOpen('edit')}>{t`Change`}</Button>
          <Button onClick={() => setOpen('rotate')}>{t`Rotate`}</Button>
          <Button className="text-danger" onClick={() => setOpen('revoke')}>{t`Revoke`}</Button>
        </>
      )}
      {can('people:manage') && (
        <Link to="/sessions" search={{ keyId: item.id }} className={buttonClasses('quiet')}>
          <Trans>Its sessions</Trans>
        </Link>
      )}
      {open === 'edit' && <EditKeyDialog item={item} onClose={close} />}
      {open === 'rotate' && (
        <RotateDialog
          item={item}
          onClose={close}
          onRotated={(next) => {
            close();
            setRotated(next);
          }}
        />
      )}
      {open === 'revoke' && <RevokeDialog item={item} onClose={close} />}
      {rotated !== undefined && (
        <SecretDialog
          title={t`The new secret of ${rotated.renewed.name}`}
          secret={rotated.renewed.secret}
          onClose={() => setRotated(undefined)}
        >
          <SecretEnds {...rotated} />
        </SecretDialog>
      )}
    </div>
  );
}

/** One key beside the list. */
export function KeyPanel() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false });
  const { data: item, error, refetch } = useQuery(rosterQuery('keys', 'get', { id }));
  return (
    <DetailPanel
      key={id}
      listPath="/keys"
      title={item?.name ?? t`Key`}
      error={item === undefined ? error : null}
      onRetry={() => void refetch()}
    >
      {item !== undefined && (
        <>
          <Actions item={item} />
          <KeyDetails item={item} />
        </>
      )}
    </DetailPanel>
  );
}

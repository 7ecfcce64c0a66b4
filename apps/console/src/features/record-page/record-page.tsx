import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { RosterError } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { Suspense, useEffect, useEffectEvent } from 'react';
import { useRights } from '../../api/caller.ts';
import { parentOf, type ResourceName } from '../../api/contract/contracts.ts';
import { Pencil } from '../../icons.tsx';
import { avatarOf } from '../../resources/avatar.ts';
import { type DirectoryRecord, nameOf } from '../../resources/record.ts';
import { recordQuery } from '../../resources/record-calls.ts';
import { Badge, InactiveBadge } from '../../ui/badge.tsx';
import { lazyComponent } from '../../ui/browser/lazy-components.ts';
import { useShortcuts } from '../../ui/browser/shortcuts.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { notify } from '../../ui/notices.tsx';
import { tabClasses } from '../../ui/toolbar.tsx';
import { RecordContext, recordPath } from '../record/record-context.ts';
import { ReferenceLink } from '../record/reference-link.tsx';
import { RecordActions } from './actions/record-actions.tsx';
import { CopyMenu } from './copy-menu.tsx';
import { Panel } from './panel.tsx';

const DeletedRecord = lazyComponent(() => import('../history/deleted-record.tsx'), 'DeletedRecord');
const DeletedTitle = lazyComponent(() => import('../history/deleted-record.tsx'), 'DeletedTitle');

function Tabs({ resource, id }: { resource: ResourceName; id: string }) {
  const { t } = useLingui();
  const { can } = useRights();
  if (!can('events:read')) return <div className="pb-1" />;
  const path = recordPath(resource);
  return (
    <nav aria-label={t`Views of the record`} className="-ms-2.5 flex gap-0.5 pb-2">
      <Link
        to={path}
        params={{ id }}
        search={true}
        activeOptions={{ exact: true, includeSearch: false }}
        className={tabClasses}
      >
        <Trans>Details</Trans>
      </Link>
      <Link
        to={`${path}/history`}
        params={{ id }}
        search={true}
        activeOptions={{ includeSearch: false }}
        className={tabClasses}
      >
        <Trans>History</Trans>
      </Link>
    </nav>
  );
}

function Summary({ resource, record }: { resource: ResourceName; record: DirectoryRecord }) {
  const { status, title } = record;
  const parent = parentOf(resource);
  const within = parent && record[parent.field];
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      {status === 'active' ? (
        <Badge tone="good">
          <Trans>Active</Trans>
        </Badge>
      ) : (
        <InactiveBadge />
      )}
      {typeof title === 'string' && <span>{title}</span>}
      {parent && typeof within === 'string' && (
        <ReferenceLink resource={parent.resource} id={within} from={resource} />
      )}
    </p>
  );
}

/** Leads from the address of a record that was merged to the record that it is part of, and says so. */
function useSurvivor(resource: ResourceName, error: unknown): boolean {
  const { t } = useLingui();
  const navigate = useNavigate();
  const mergedInto = error instanceof RosterError ? error.mergedInto : undefined;
  const follow = useEffectEvent((id: string) => {
    notify({ text: t`The record at this address was merged. You're viewing the record it was merged into.` });
    void navigate({ to: recordPath(resource), params: { id }, search: true, replace: true });
  });
  useEffect(() => {
    if (mergedInto !== undefined) follow(mergedInto);
  }, [mergedInto]);
  return mergedInto !== undefined;
}

function RecordFrame({ resource, id }: { resource: ResourceName; id: string }) {
  const { can } = useRights();
  const navigate = useNavigate();
  const { data: record, error, refetch } = useQuery(recordQuery(resource, id));
  const canWrite = can(`${resource}:write`);
  const edit = () => void navigate({ to: `${recordPath(resource)}/edit`, params: { id }, search: true });
  useShortcuts(
    canWrite && record !== undefined ? [{ keys: 'e', label: msg`Edit`, group: 'record', run: edit }] : [],
  );
  const isGone = error instanceof RosterError && error.code === 'not_found';
  const isMerged = useSurvivor(resource, error);
  const hasHistory = isGone && can('events:read');
  if (isGone || isMerged || record === undefined) {
    const title = hasHistory ? <DeletedTitle resource={resource} id={id} /> : <Trans>Record not found</Trans>;
    return (
      <Panel resource={resource} title={<Suspense fallback="…">{isGone ? title : '…'}</Suspense>}>
        {hasHistory ? (
          <Suspense>
            <DeletedRecord resource={resource} id={id} />
          </Suspense>
        ) : (
          error !== null && !isMerged && <ErrorBox error={error} onRetry={() => void refetch()} />
        )}
      </Panel>
    );
  }
  return (
    <RecordContext value={{ resource, record }}>
      <Panel
        resource={resource}
        title={
          <span {...avatarOf(resource, record)} className="flex items-center gap-3 [--disc:48px]">
            <span className="min-w-0">{nameOf(record)}</span>
          </span>
        }
        summary={<Summary resource={resource} record={record} />}
        tabs={<Tabs resource={resource} id={id} />}
        actions={
          <div className="flex shrink-0 gap-1">
            {canWrite && (
              <Link
                to={`${recordPath(resource)}/edit`}
                params={{ id }}
                search={true}
                className={buttonClasses('secondary')}
              >
                <Pencil aria-hidden />
                <span className="max-sm:sr-only">
                  <Trans>Edit</Trans>
                </span>
              </Link>
            )}
            <CopyMenu resource={resource} record={record} />
            {canWrite && <RecordActions resource={resource} record={record} />}
          </div>
        }
      >
        <Suspense>
          <Outlet />
        </Suspense>
      </Panel>
    </RecordContext>
  );
}

export function RecordPage({ resource }: { resource: ResourceName }) {
  const { id } = useParams({ strict: false });
  // With a key of its own, so that nothing of one record is left in the next.
  return <RecordFrame key={id} resource={resource} id={id ?? ''} />;
}

import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { RosterError } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useEffectEvent } from 'react';
import { useRights } from '../../api/caller.ts';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { Pencil } from '../../icons.tsx';
import { Link as LinkIcon, Maximize2, PanelRight } from '../../more-icons.tsx';
import { nameOf } from '../../resources/record.ts';
import { recordQuery } from '../../resources/record-calls.ts';
import { lazyComponent } from '../../ui/browser/lazy-components.ts';
import { useIsPhone } from '../../ui/browser/media.ts';
import { useShortcuts } from '../../ui/browser/shortcuts.ts';
import { IconButton, iconButtonClasses } from '../../ui/button.tsx';
import { useCopyLink } from '../../ui/copy-link.ts';
import { ErrorBox } from '../../ui/error-text.tsx';
import { notify } from '../../ui/notices.tsx';
import { scrollable, tabClasses } from '../../ui/page.tsx';
import { PlaceArrows } from '../../ui/place-arrows.tsx';
import { RecordContext, type RecordPath, recordPath } from '../record/record-context.ts';
import { RecordActions } from './actions/record-actions.tsx';
import { useListPlace } from './list-place.ts';
import { Panel, RecordTitle, useRoomBeside } from './panel.tsx';
import { RecordHead } from './record-head.tsx';

const History = lazyComponent(() => import('../history/history-page.tsx'), 'History');
const DeletedRecord = lazyComponent(() => import('../history/deleted-record.tsx'), 'DeletedRecord');
const DeletedTitle = lazyComponent(() => import('../history/deleted-record.tsx'), 'DeletedTitle');

function Tabs({ resource, id }: { resource: ResourceName; id: string }) {
  const { t } = useLingui();
  const { can } = useRights();
  if (!can('events:read')) return null;
  const path = recordPath(resource);
  return (
    <nav
      aria-label={t`Views of the record`}
      className="-ms-2.5 flex gap-0.5 max-sm:ms-0 max-sm:gap-1 lg:ms-0"
    >
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

/** Whether the record is open as a page, instead of beside its list. */
function useIsWhole(): boolean {
  return useLocation({ select: ({ pathname }) => pathname.endsWith('/page') });
}

interface IconLinkProps {
  to: RecordPath | `${RecordPath}/edit` | `${RecordPath}/page`;
  id: string;
  label: string;
  children: ReactNode;
}

function IconLink({ to, id, label, children }: IconLinkProps) {
  return (
    <Link
      to={to}
      params={{ id }}
      search={true}
      aria-label={label}
      data-tooltip={label}
      className={iconButtonClasses()}
    >
      {children}
    </Link>
  );
}

/** The place of a page in its list, and its address to copy. */
function PageTools({ resource, id }: { resource: ResourceName; id: string }) {
  const { t } = useLingui();
  const place = useListPlace(resource, id);
  const copyLink = useCopyLink();
  return (
    <>
      {place !== undefined && (
        <span className="flex gap-1 border-line border-e pe-2 me-1 max-sm:hidden">
          <PlaceArrows {...place} labels={{ previous: t`Previous record`, next: t`Next record` }} />
        </span>
      )}
      <IconButton label={t`Copy link`} onClick={() => void copyLink()}>
        <LinkIcon aria-hidden />
      </IconButton>
    </>
  );
}

function RecordFrame({ resource, id }: { resource: ResourceName; id: string }) {
  const { t } = useLingui();
  const { can } = useRights();
  const navigate = useNavigate();
  const path = recordPath(resource);
  const { data: record, error, refetch } = useQuery(recordQuery(resource, id));
  const canWrite = can(`${resource}:write`);
  const edit = () => void navigate({ to: `${path}/edit`, params: { id }, search: true });
  useShortcuts(
    canWrite && record !== undefined ? [{ keys: 'e', label: msg`Edit`, group: 'record', run: edit }] : [],
  );
  const isPhone = useIsPhone();
  // A panel fills a telephone: it has no page beside that.
  const isWhole = useIsWhole() && !isPhone;
  const hasAside = useRoomBeside() && isWhole && can('events:read');
  const isGone = error instanceof RosterError && error.code === 'not_found';
  const isMerged = useSurvivor(resource, error);
  const hasHistory = isGone && can('events:read');
  if (isGone || isMerged || record === undefined) {
    const found = hasHistory ? <DeletedTitle resource={resource} id={id} /> : <Trans>Record not found</Trans>;
    const title = <Suspense fallback="…">{isGone ? found : '…'}</Suspense>;
    return (
      <Panel
        resource={resource}
        title={title}
        head={<RecordTitle isWhole={isWhole}>{title}</RecordTitle>}
        isWhole={isWhole}
      >
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
        title={nameOf(record)}
        head={<RecordHead isWhole={isWhole} />}
        isWhole={isWhole}
        tabs={!hasAside && <Tabs resource={resource} id={id} />}
        aside={
          hasAside && (
            <section
              aria-label={t`History`}
              {...scrollable}
              className="w-[416px] shrink-0 overflow-y-auto border-line border-s px-6 py-3"
            >
              <h2 className="flex min-h-7 items-center font-semibold text-md">
                <Trans>History</Trans>
              </h2>
              <Suspense>
                <History />
              </Suspense>
            </section>
          )
        }
        actions={
          <div className="flex shrink-0 gap-1">
            {isWhole && <PageTools resource={resource} id={id} />}
            {canWrite && !isPhone && (
              <IconLink to={`${path}/edit`} id={id} label={t`Edit`}>
                <Pencil aria-hidden />
              </IconLink>
            )}
            {isWhole ? (
              <IconLink to={path} id={id} label={t`Show beside the list`}>
                <PanelRight aria-hidden />
              </IconLink>
            ) : (
              !isPhone && (
                <IconLink to={`${path}/page`} id={id} label={t`Open as a page`}>
                  <Maximize2 aria-hidden />
                </IconLink>
              )
            )}
            {canWrite && (
              <RecordActions resource={resource} record={record} onEdit={isPhone ? edit : undefined} />
            )}
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

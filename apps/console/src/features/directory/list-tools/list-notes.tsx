import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { FollowedEvent } from '@roster/client';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { useEvents } from '../../../api/live.ts';
import { resourceOfEvent } from '../../../resources/index.ts';
import type { RecordPage } from '../../../resources/record.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorBox, notifyError } from '../../../ui/error-text.tsx';
import { useIsOwn } from '../../record/actor-name.tsx';
import type { ListStore } from '../list/list-store.ts';
import { type ListView, withoutFilters } from '../list/list-view.ts';
import { EmptyList } from './empty-list.tsx';
import { type Effects, effectsOfPage, LOOKED_UP_MAX, readEffects, readRecounted } from './live-changes.ts';

/** Changes are collected for so long before they are looked up, in milliseconds. */
const COLLECT_MS = 250;
/** The time for which a changed row is marked, in milliseconds; as long as its animation. */
const MARK_MS = 3_000;

/**
 * Follows what others change: rows are updated where they are; what would move rows is counted.
 *
 * @param collected the events that the page has heard of the list since it is shown, which is before this code is loaded
 */
function useChanges(store: ListStore, firstPage: RecordPage | undefined, collected: FollowedEvent[]) {
  const [waiting, setWaiting] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isOwn = useIsOwn();
  const forget = () => setWaiting(0);
  const refresh = () => store.refresh().then(forget);
  const apply = ({ newer, marks, waiting: more, hasOwn }: Effects) => {
    // Whoever has created a record expects it in the list. If it cannot be read, it waits as that of somebody else.
    if (hasOwn) return void refresh().catch(() => setWaiting((before) => before + more + 1));
    if (newer.size > 0 || marks.size > 0) store.update(newer, marks);
    if (marks.size > 0) {
      setTimeout(() => store.unmark(marks.keys()), MARK_MS);
    }
    if (more > 0) setWaiting((before) => before + more);
  };
  const look = () => {
    timer.current = undefined;
    const heard = collected.splice(0);
    // Counts that could not be read are read with the next change.
    readRecounted(store, heard).then(
      (newer) => store.update(newer),
      () => undefined,
    );
    const events = heard.filter(({ type }) => resourceOfEvent(type) === store.request.resource);
    if (events.length === 0) return;
    const subjects = new Set(events.map(({ subject }) => subject));
    if (subjects.size > LOOKED_UP_MAX) return setWaiting((before) => before + subjects.size);
    // A change that could not be looked up is seen when the list is read the next time.
    readEffects(store, events, isOwn).then(apply, () => setWaiting((before) => before + subjects.size));
  };
  const lookSoon = () => {
    if (collected.length > 0) timer.current ??= setTimeout(look, COLLECT_MS);
  };
  const lookAtFirst = useEffectEvent(lookSoon);
  useEvents(lookSoon);
  useEffect(() => {
    lookAtFirst();
    return () => clearTimeout(timer.current);
  }, []);
  const shown = useRef(store);
  useEffect(() => {
    const before = shown.current;
    shown.current = store;
    if (before !== store) setWaiting(0);
    // It may have been read again before this code was loaded.
    if (firstPage !== undefined && store.comparedPage !== firstPage) {
      store.comparedPage = firstPage;
      const effects = effectsOfPage(store, firstPage);
      apply({ ...effects, waiting: 0, hasOwn: false });
      if (!effects.isSame) setWaiting((now) => Math.max(now, 1));
    }
  });
  return { waiting, refresh };
}

export function ListNotes({
  view,
  store,
  firstPage,
  events,
  isCurrent,
}: {
  view: ListView;
  store: ListStore;
  firstPage: RecordPage | undefined;
  /** The events that the page has heard of the list, which are taken out when they are looked up. */
  events: FollowedEvent[];
  isCurrent: boolean;
}) {
  const { t } = useLingui();
  const { total, isSimilar, error } = useSyncExternalStore(store.subscribe, store.state);
  const { waiting, refresh } = useChanges(store, firstPage, events);
  const hasFilters = Object.keys(view.request.filter).length > 0;
  const show = () => refresh().catch(notifyError);
  const showFirst = useEffectEvent(() => void show());
  // An empty list has no rows that would move under a pointer.
  const hasFirst = isCurrent && total === 0 && waiting > 0;
  useEffect(() => {
    if (hasFirst) showFirst();
  }, [hasFirst]);
  return (
    <div className="px-4 empty:hidden">
      <p role="status" className="sr-only">
        {isCurrent && <Plural value={total} one="# record" other="# records" />}
      </p>
      {error !== null && <ErrorBox error={error} onRetry={() => store.retry()} />}
      {isSimilar && isCurrent && (
        <div className="pb-2">
          <Callout title={t`No exact match. Showing similar results.`} />
        </div>
      )}
      {total === 0 && isCurrent && !hasFilters && <EmptyList resource={view.resource} />}
      {total === 0 && isCurrent && hasFilters && (
        <div className="flex flex-wrap items-center gap-3 pb-3 text-sm">
          <p>
            <Trans>No matches.</Trans>
          </p>
          <Button onClick={() => view.replace(withoutFilters(view.search))}>
            <Trans>Clear filters</Trans>
          </Button>
        </div>
      )}
      {waiting > 0 && (
        <div className="relative z-20 h-0 text-center">
          <Button
            look="primary"
            // Over the headers, so that it covers no row.
            className="rounded-full shadow-md"
            onClick={() => void show()}
          >
            <Plural value={waiting} one="# change: show" other="# changes: show" />
          </Button>
        </div>
      )}
    </div>
  );
}

'use no memo';

import { Plural, useLingui } from '@lingui/react/macro';
import type { FollowedEvent } from '@roster/client';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useEvents } from '../../../api/live.ts';
import { resourceOfEvent } from '../../../resources/index.ts';
import { Callout } from '../../../ui/badge.tsx';
import { lazyComponent } from '../../../ui/browser/lazy-components.ts';
import { Button } from '../../../ui/button.tsx';
import { notifyError } from '../../../ui/error-text.tsx';
import { useIsOwn } from '../../record/actor-name.tsx';
import type { Mark } from '../list/grid/grid.tsx';
import type { ListView } from '../list/list-view.ts';
import type { List } from '../list/use-list.ts';
import { type Effects, LOOKED_UP_MAX, readEffects, readRecounted } from './live-changes.ts';

const EmptyList = lazyComponent(() => import('./empty-list.tsx'), 'EmptyList');
const NoResults = lazyComponent(() => import('./no-results.tsx'), 'NoResults');

/** Changes are collected for so long before they are looked up, in milliseconds. */
const COLLECT_MS = 250;
/** The time for which a changed row is marked, in milliseconds; as long as its animation. */
const MARK_MS = 1_000;

type SetMarks = (change: (before: ReadonlyMap<string, Mark>) => ReadonlyMap<string, Mark>) => void;

/** The events that can change what a list shows: not that a licence ends, or that a change failed. */
const changesRecords = ({ type }: FollowedEvent) => !/\.(license_expiring|change_failed)$/.test(type);

/**
 * Follows what others change: rows are updated where they are; what would move rows is counted.
 *
 * @param collected the events that the page has heard of the list since it is shown, which is before this code is loaded
 */
function useChanges(list: List, collected: FollowedEvent[], setMarks: SetMarks) {
  const [waiting, setWaiting] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isOwn = useIsOwn();
  const refresh = async () => {
    await list.refresh();
    setWaiting(0);
    setMarks(() => new Map());
  };
  const apply = useEffectEvent(({ newer, marks, waiting: more, hasOwn }: Effects) => {
    // Whoever has created a record expects it in the list. If it cannot be read, it waits as that of somebody else.
    if (hasOwn) return void refresh().catch(() => setWaiting((before) => before + more + 1));
    list.update(newer);
    if (marks.size > 0) {
      setMarks((before) => new Map([...before, ...marks]));
      setTimeout(
        () =>
          setMarks(
            (before) => new Map([...before].filter(([id, mark]) => mark === 'gone' || !marks.has(id))),
          ),
        MARK_MS,
      );
    }
    if (more > 0) setWaiting((before) => before + more);
  });
  const look = useEffectEvent(() => {
    timer.current = undefined;
    const heard = collected.splice(0).filter(changesRecords);
    // Counts that could not be read are read with the next change.
    readRecounted(list, heard).then(list.update, () => undefined);
    const events = heard.filter(({ type }) => resourceOfEvent(type) === list.request.resource);
    if (events.length === 0) return;
    const all = [...Map.groupBy(events, ({ subject }) => subject).values()];
    // A change that could not be looked up is seen when the list is read the next time.
    for (let at = 0; at < all.length; at += LOOKED_UP_MAX)
      readEffects(list, all.slice(at, at + LOOKED_UP_MAX).flat(), isOwn).then(apply, () => undefined);
  });
  // The page, which hears of an event after what is in it, has it by then.
  const lookSoon = useEffectEvent(() => {
    timer.current ??= setTimeout(look, COLLECT_MS);
  });
  useEvents(() => lookSoon());
  useEffect(() => {
    lookSoon();
    return () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, []);
  const [shownKey, setShownKey] = useState(list.key);
  if (shownKey !== list.key) {
    setShownKey(list.key);
    setWaiting(0);
  }
  return { waiting, refresh };
}

interface ListNotesProps {
  view: ListView;
  list: List;
  /** The events that the page has heard of the list, which are taken out when they are looked up. */
  events: FollowedEvent[];
  isCurrent: boolean;
  setMarks: SetMarks;
}

/** Says that a list is empty, that its records are only like what is looked for, or that others have changed it. */
export function ListNotes({ view, list, events, isCurrent, setMarks }: ListNotesProps) {
  const { t } = useLingui();
  const { total, isSimilar } = list;
  const { waiting, refresh } = useChanges(list, events, setMarks);
  const hasFilters = Object.keys(view.request.filter).length > 0;
  const show = () => refresh().catch(notifyError);
  const showFirst = useEffectEvent(() => void show());
  // An empty list has no rows that would move under a pointer.
  const hasFirst = isCurrent && total === 0 && waiting > 0;
  useEffect(() => {
    if (hasFirst) showFirst();
  }, [hasFirst]);
  return (
    <>
      <p role="status" className="sr-only">
        {isCurrent && <Plural value={total} one="# record" other="# records" />}
      </p>
      {isSimilar && isCurrent && (
        <div className="px-4 py-2 sm:px-6">
          <Callout title={t`No exact match. Showing similar results.`} />
        </div>
      )}
      {total === 0 &&
        isCurrent &&
        (hasFilters ? <NoResults view={view} /> : <EmptyList resource={view.resource} />)}
      {waiting > 0 && (
        <div className="pointer-events-none absolute inset-x-0 bottom-4 z-20 flex justify-center">
          <Button className="pointer-events-auto rounded-full! shadow-md" onClick={() => void show()}>
            <Plural value={waiting} one="# change: show" other="# changes: show" />
          </Button>
        </div>
      )}
    </>
  );
}

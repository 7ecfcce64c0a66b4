import { Suspense } from 'react';
import { createStore, useStore } from '../api/store.ts';
import { useIsUsed } from './browser/first-use.ts';
import { lazyComponent } from './browser/lazy-components.ts';
import type { Notice, ShownNotice } from './notice-list.tsx';

const NoticeList = lazyComponent(() => import('./notice-list.tsx'), 'NoticeList');

const NOTICES_MAX = 4;

const notices = createStore<readonly ShownNotice[]>([]);
let lastId = 0;

const dismiss = (id: string) => notices.set(notices.get().filter((one) => one.id !== id));

export function notify(notice: Notice): () => void {
  lastId += 1;
  const id = String(lastId);
  notices.set([...notices.get(), { ...notice, id }].slice(-NOTICES_MAX));
  return () => dismiss(id);
}

export function Notices() {
  const shown = useStore(notices);
  const isUsed = useIsUsed();
  return (
    <Suspense fallback={null}>
      {(isUsed || shown.length > 0) && <NoticeList notices={shown} onDismiss={dismiss} />}
    </Suspense>
  );
}

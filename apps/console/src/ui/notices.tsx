import { Suspense, useEffect, useState } from 'react';
import { createStore, useStore } from '../api/store.ts';
import { lazyComponent } from './browser/lazy-components.ts';
import type { Notice, ShownNotice } from './notice-list.tsx';

const NoticeList = lazyComponent(() => import('./notice-list.tsx'), 'NoticeList');

const NOTICES_MAX = 4;
/** When the code of notices is loaded: after the first view, but before the service may be away. */
const LOAD_MS = 2_000;

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
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLoaded(true), LOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Suspense fallback={null}>
      {(isLoaded || shown.length > 0) && <NoticeList notices={shown} onDismiss={dismiss} />}
    </Suspense>
  );
}

import { Suspense, useEffect } from 'react';
import { lazyComponent } from '../page/lazy-components.ts';
import { createStore, useStore } from '../page/store.ts';
import type { Notice } from './notice-box.tsx';

const NoticeBox = lazyComponent(() => import('./notice-box.tsx'), 'NoticeBox');

const NOTICES_MAX = 4;
/** When the code of a notice is loaded: after the first view, but before the service may be away. */
const PRELOAD_MS = 2_000;

type Shown = Notice & { id: number };
const notices = createStore<readonly Shown[]>([]);
let lastId = 0;

const dismiss = (id: number) => notices.set(notices.get().filter((one) => one.id !== id));

/** Shows a notice. Returns a function that removes it. */
export function notify(notice: Notice): () => void {
  lastId += 1;
  const id = lastId;
  notices.set([...notices.get(), { ...notice, id }].slice(-NOTICES_MAX));
  return () => dismiss(id);
}

/** The place where notices appear, read out as they do. Rendered once. */
export function Notices() {
  const shown = useStore(notices);
  useEffect(() => {
    const timer = setTimeout(() => void NoticeBox.preload?.(), PRELOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex flex-col items-center gap-2 p-4 *:pointer-events-auto print:hidden"
    >
      <Suspense fallback={null}>
        {shown.map((notice) => (
          <NoticeBox key={notice.id} notice={notice} onDismiss={() => dismiss(notice.id)} />
        ))}
      </Suspense>
    </div>
  );
}

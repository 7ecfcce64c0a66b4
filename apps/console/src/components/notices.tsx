import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { Button, classNames, IconButton } from './button.tsx';

/** A short message at the edge of the page, with an action such as undo. */
export interface Notice {
  text: string;
  tone?: 'neutral' | 'danger';
  action?: { label: string; run: () => void };
  /** How long it stays, in milliseconds; 10 seconds unless given. */
  durationMs?: number;
}

const DURATION_MS = 10_000;
const NOTICES_MAX = 4;

type Shown = Notice & { id: number };
let notices: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Shown[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a notice. Returns a function that removes it. */
export function notify(notice: Notice): () => void {
  lastId += 1;
  const id = lastId;
  set([...notices, { ...notice, id }].slice(-NOTICES_MAX));
  return () => set(notices.filter((one) => one.id !== id));
}

const dismiss = (id: number) => set(notices.filter((one) => one.id !== id));

function NoticeBox({ notice }: { notice: Shown }) {
  const { t } = useLingui();
  const { id, text, tone, action, durationMs = DURATION_MS } = notice;
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), durationMs);
    return () => clearTimeout(timer);
  }, [id, durationMs]);
  return (
    <div
      className={classNames(
        'flex items-center gap-2 rounded-lg border px-4 py-2 text-sm shadow-lg',
        tone === 'danger' ? 'border-danger bg-danger-surface text-danger' : 'border-line bg-raised text-text',
      )}
    >
      <span className="min-w-0 grow">{text}</span>
      {action !== undefined && (
        <Button
          onClick={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label={t`Dismiss`} onClick={() => dismiss(id)}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}

/** The place where notices appear, read out as they do. Rendered once. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex flex-col items-center gap-2 p-4 *:pointer-events-auto"
    >
      {shown.map((notice) => (
        <NoticeBox key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

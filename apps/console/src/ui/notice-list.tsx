import { Toast } from '@base-ui/react/toast';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent } from 'react';
import type { ResourceName } from '../api/contract/contracts.ts';
import { X } from '../icons.tsx';
import { Button, classNames, iconButtonClasses } from './button.tsx';
import { RecordLink } from './record-name.tsx';

export interface Notice {
  text: string;
  tone?: 'neutral' | 'danger';
  action?: { label: string; run: () => void };
  records?: readonly { resource: ResourceName; id: string; text: string }[];
  /** The time for which it stays, in milliseconds; eight seconds unless given; it stands still while someone is at it. */
  durationMs?: number;
}

export type ShownNotice = Notice & { id: string };

const DURATION_MS = 8_000;

interface NoticeListProps {
  notices: readonly ShownNotice[];
  onDismiss: (id: string) => void;
}

/** A message is no dialog, as the library has it. */
const asGroup = { role: 'group', 'aria-modal': undefined };
/** The button of a message is for all, where the library hides it from screen readers until the message has the focus. */
const asShown = { 'aria-hidden': undefined };

function NoticeBox({ toast }: { toast: Toast.Root.ToastObject<ShownNotice> }) {
  const { t } = useLingui();
  const { close } = Toast.useToastManager();
  if (toast.data === undefined) return null;
  const { id, text, tone, action, records = [] } = toast.data;
  return (
    <Toast.Root
      toast={toast}
      {...asGroup}
      className={classNames(
        'floating min-h-11 max-w-[min(30rem,calc(100vw-2rem))] rounded-md bg-raised py-1.5 ps-4 pe-2 text-sm shadow-md',
        tone === 'danger' ? 'text-danger' : 'text-text',
      )}
    >
      <Toast.Content className="flex min-h-8 items-center gap-3">
        <Toast.Description render={<div />} className="min-w-0 grow">
          {text}
          {records.length > 0 && (
            <ul className="mt-1 list-inside list-disc">
              {records.map((one) => (
                <li key={one.id}>
                  <RecordLink resource={one.resource} id={one.id} />: {one.text}
                </li>
              ))}
            </ul>
          )}
        </Toast.Description>
        {action !== undefined && (
          <Button
            onClick={() => {
              close(id);
              action.run();
            }}
          >
            {action.label}
          </Button>
        )}
        <Toast.Close
          {...asShown}
          aria-label={t`Dismiss`}
          data-tooltip={t`Dismiss`}
          className={iconButtonClasses()}
        >
          <X aria-hidden />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  );
}

function NoticeToasts({ notices, onDismiss }: NoticeListProps) {
  const { toasts, add, close } = Toast.useToastManager<ShownNotice>();
  const follow = useEffectEvent(() => {
    const known = new Set(toasts.map(({ id }) => id));
    for (const notice of notices.filter(({ id }) => !known.has(id)))
      add({
        id: notice.id,
        data: notice,
        timeout: notice.durationMs ?? DURATION_MS,
        onClose: () => onDismiss(notice.id),
      });
    for (const id of known) if (!notices.some((notice) => notice.id === id)) close(id);
  });
  useEffect(() => follow(), [notices]);
  return toasts.map((toast) => <NoticeBox key={toast.id} toast={toast} />);
}

/**
 * The notices over the lower start of the page, read out as they come; F6 goes to them. They move nothing. The time of all stands still
 * as long as one has the focus or the pointer.
 */
export function NoticeList(props: NoticeListProps) {
  const { t } = useLingui();
  return (
    // The givers of notices decide how many there may be.
    <Toast.Provider limit={Number.MAX_SAFE_INTEGER}>
      <Toast.Viewport
        role="status"
        aria-label={t`Messages`}
        className="pointer-events-none fixed start-0 bottom-0 z-50 flex flex-col items-start gap-2 p-4 outline-none *:pointer-events-auto max-sm:bottom-14 print:hidden"
      >
        <NoticeToasts {...props} />
      </Toast.Viewport>
    </Toast.Provider>
  );
}

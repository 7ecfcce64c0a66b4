import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ResourceName } from '../contract/contracts.ts';
import { Button, classNames, IconButton } from './button.tsx';
import { RecordLink } from './record-name.tsx';

/** A short message at the edge of the page, with an action such as undo. */
export interface Notice {
  text: string;
  tone?: 'neutral' | 'danger';
  action?: { label: string; run: () => void };
  /** The records that it is about, each with what happened to it. */
  records?: readonly { resource: ResourceName; id: string; text: string }[];
  /** The time for which it stays, in milliseconds; 10 seconds unless given; it stands still while someone is at it. */
  durationMs?: number;
}

/** The time for which a notice stays unless it names another, in milliseconds. */
const DURATION_MS = 10_000;

/** A notice, until its time is over or it is dismissed. Its time stands still as long as it has the focus or the pointer. */
export function NoticeBox({ notice, onDismiss }: { notice: Notice; onDismiss: () => void }) {
  const { t } = useLingui();
  const { text, tone, action, records = [], durationMs = DURATION_MS } = notice;
  const [isHeld, setHeld] = useState(false);
  const dismiss = useEffectEvent(onDismiss);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismiss(), durationMs);
    return () => clearTimeout(timer);
  }, [isHeld, durationMs]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that someone is reading.
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={classNames(
        'flex items-center gap-2 rounded-lg border px-4 py-2 text-sm shadow-lg',
        tone === 'danger' ? 'border-danger bg-danger-surface text-danger' : 'border-line bg-raised text-text',
      )}
    >
      <div className="min-w-0 grow">
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
      </div>
      {action !== undefined && (
        <Button
          onClick={() => {
            onDismiss();
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label={t`Dismiss`} onClick={onDismiss}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}

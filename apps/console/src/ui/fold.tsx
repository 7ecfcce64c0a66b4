import { type ReactNode, useState } from 'react';
import { ChevronRight } from '../icons.tsx';

/** A line that opens what is less often needed; its note says, muted, what that is. */
export function Fold({
  title,
  note,
  isOpenFirst = false,
  className,
  children,
}: {
  title: ReactNode;
  note?: ReactNode;
  isOpenFirst?: boolean;
  className?: string;
  children: ReactNode;
}) {
  // Only the first time: after that, opening and closing is up to the reader.
  const [isOpen] = useState(isOpenFirst);
  return (
    <details open={isOpen} className={`group/fold text-sm ${className ?? ''}`}>
      <summary className="flex min-h-10 items-center gap-2">
        <ChevronRight
          aria-hidden
          className="size-3.5 shrink-0 text-muted group-open/fold:rotate-90 rtl:not-group-open/fold:rotate-180"
        />
        <span className="shrink-0 font-medium max-sm:shrink">{title}</span>
        <span className="min-w-0 truncate text-muted">{note}</span>
      </summary>
      <div className="pb-3">{children}</div>
    </details>
  );
}

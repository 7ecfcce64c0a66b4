import type { ReactNode } from 'react';

/** A part of the home page: a heading with a number, a link to all, and a list or a table. */
export function Section({
  title,
  count,
  all,
  children,
}: {
  title: string;
  count?: ReactNode;
  all?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <div className="flex min-h-8 items-center gap-2">
        <h2 className="font-semibold text-md">{title}</h2>
        {count !== undefined && <span className="text-muted text-sm tabular-nums">{count}</span>}
        {all !== undefined && <span className="ms-auto">{all}</span>}
      </div>
      {children}
    </section>
  );
}

export const groupClasses = 'overflow-hidden rounded-lg border border-line bg-surface';
export const lineClasses =
  'flex min-h-10 items-center gap-3 border-line border-t px-3 py-1.5 text-sm first:border-t-0';

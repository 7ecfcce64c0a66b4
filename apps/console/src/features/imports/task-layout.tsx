import type { ReactNode } from 'react';

interface TaskProps {
  label: string;
  aside: ReactNode;
  children: ReactNode;
}

/** A step of an import, with a column beside it that says what happens; below it where the room is short. */
export function TaskLayout({ label, aside, children }: TaskProps) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-5">{children}</div>
      <aside
        aria-label={label}
        className="flex min-w-0 flex-col gap-4 rounded-md border border-line bg-sunken p-4 lg:sticky lg:top-0"
      >
        {aside}
      </aside>
    </div>
  );
}

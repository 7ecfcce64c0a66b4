import type { ReactNode } from 'react';

interface TaskProps {
  label: string;
  aside: ReactNode;
  children: ReactNode;
}

/** A task, with a column at the edge of the page that says what happens; below it where the room is short. */
export function TaskLayout({ label, aside, children }: TaskProps) {
  return (
    <div className="grid grow gap-6 lg:-my-4 lg:-me-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-8 lg:py-4">{children}</div>
      <aside
        aria-label={label}
        className="min-w-0 border-line bg-sunken p-4 max-lg:rounded-md max-lg:border lg:border-s lg:px-6 lg:py-5"
      >
        <div className="flex flex-col gap-6 lg:sticky lg:top-5">{aside}</div>
      </aside>
    </div>
  );
}

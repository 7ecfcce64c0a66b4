import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId } from 'react';

interface ViewFrameProps {
  title: string;
  /** Under the title: what the view is for. */
  description?: ReactNode;
  /** Buttons at the end of the title's line. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A view with its title, and the details of one of its rows beside it, or over it where there is no room. */
export function ViewFrame({ title, description, actions, children }: ViewFrameProps) {
  const id = useId();
  useEffect(() => {
    document.title = `${title} · Roster`;
  }, [title]);
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)_auto]">
      <section aria-labelledby={id} className="min-w-0 overflow-y-auto">
        <header className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-4 pb-3">
          <div className="min-w-0 grow">
            <h1 id={id} className="font-semibold text-xl">
              {title}
            </h1>
            {description !== undefined && <p className="max-w-prose text-muted text-sm">{description}</p>}
          </div>
          {actions}
        </header>
        <div className="px-1 pb-6 sm:px-4">{children}</div>
      </section>
      <Outlet />
    </div>
  );
}

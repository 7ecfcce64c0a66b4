import type { ReactNode } from 'react';
import { announceSignIn } from '../../../api/session-end.ts';
import iconUrl from '../../../icon.svg';

export function SignInFrame({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-6 p-6">
      <div className="flex items-center gap-3">
        <img src={iconUrl} alt="" className="size-10" />
        <h1 className="min-w-0 break-words font-semibold text-2xl">{title}</h1>
      </div>
      {children}
    </main>
  );
}

/** Leaves the page for who has just signed in: closes a tab that was opened for it, and goes on to a path otherwise. */
export function leaveSignIn(target: string, { isTab = false } = {}): void {
  announceSignIn();
  if (isTab) window.close();
  window.location.assign(target);
}

/** A path of the page itself; anything else would lead to another site. */
export function safePath(path: unknown): string {
  return typeof path === 'string' && /^\/console\/(?![/\\])/.test(path) ? path : '/console/';
}

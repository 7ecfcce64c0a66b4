import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { announceSignIn } from '../../../api/session-end.ts';
import iconUrl from '../../../icon.svg';
import { activateLocale, languageOf, locales } from '../../../ui/browser/locale.ts';
import { setPreferences, usePreferences } from '../../../ui/browser/preferences.ts';

function Languages() {
  usePreferences();
  return Object.entries(locales).map(([tag, { name }]) => (
    <button
      key={tag}
      type="button"
      lang={tag}
      aria-current={languageOf(document.documentElement.lang) === tag}
      className="min-h-6 px-1 hover:underline aria-[current=true]:font-semibold"
      onClick={() => {
        setPreferences({ locale: tag });
        void activateLocale(tag);
      }}
    >
      {name}
    </button>
  ));
}

/** The page before signing in: one column of 376 px, in which buttons and fields are 40 px high. */
export function SignInFrame({
  title,
  lead,
  note = <Trans>No access? Ask an administrator for an invitation.</Trans>,
  children,
}: {
  title: ReactNode;
  lead?: ReactNode;
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="grid min-h-dvh grid-rows-[minmax(0,1fr)_auto] justify-items-center px-6 [&_:is(button,input,a[class*=rounded]):not(footer_*)]:min-h-10 [&_main_:is(button,a[class*=rounded])]:text-md">
      <main className="flex w-full max-w-94 flex-col justify-center gap-6 py-6">
        <div className="flex flex-col gap-1">
          <img src={iconUrl} alt="" className="mb-5 size-10 rounded-md" />
          <h1 className="min-w-0 break-words font-semibold text-2xl tracking-[-0.015em]">{title}</h1>
          {lead !== undefined && <p className="break-words text-md text-muted">{lead}</p>}
        </div>
        {children}
        <p className="text-muted text-sm">{note}</p>
      </main>
      <footer className="flex h-14 items-center gap-4 text-muted text-xs">
        <span>Roster</span>
        <Languages />
      </footer>
    </div>
  );
}

/** Leaves the page for who has just signed in, and tells the other tabs. */
export function leaveSignIn(target: string, { isTab = false } = {}): void {
  announceSignIn();
  continueAt(target, { isTab });
}

/** Closes a tab that was opened for the sign-in, and goes to a path otherwise. */
export function continueAt(target: string, { isTab }: { isTab: boolean }): void {
  if (isTab) window.close();
  window.location.assign(target);
}

/** A path of the page itself; anything else would lead to another site. */
export function safePath(path: unknown): string {
  return typeof path === 'string' && /^\/console\/(?![/\\])/.test(path) ? path : '/console/';
}

import { isObject } from '@roster/fields/objects';
import { createStore, useStore } from './store.ts';

/**
 * Whether the session has ended under an open page. The page stays as it is, with all that was typed, and offers to sign in
 * again, in another tab; then it goes on.
 */
const signedOut = createStore(false);

/** A message of a tab to the others of this browser; `signed-in` has the id of the caller if the tab knows it. */
type SignInNews = { type: 'signed-in'; callerId?: string } | { type: 'signed-out' };

const listeners = new Set<() => void>();

let pageCallerId: string | undefined;

function hear(news: SignInNews): void {
  if (news.type === 'signed-out') {
    signedOut.set(true);
    return;
  }
  // A page that opens says who is signed in: that is news if it is someone else, or if nobody was.
  if (news.callerId !== undefined && news.callerId === pageCallerId && !signedOut.get()) return;
  signedOut.set(false);
  for (const listener of listeners) listener();
}

function openChannel(): BroadcastChannel {
  const opened = new BroadcastChannel('roster.sign-in');
  opened.addEventListener('message', ({ data }: MessageEvent<SignInNews>) => hear(data));
  return opened;
}

let channel = openChannel();

// The browser discards a page that was left, and that it keeps to show it again, if that is sent a message. A page that is shown again
// reads everything again, and so learns who is signed in.
window.addEventListener('pagehide', () => channel.close());
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) channel = openChannel();
});

const tell = (news: SignInNews) => channel.postMessage(news);

export const markSignedOut = () => signedOut.set(true);

/** Called in the tab in which someone has signed in with a key. */
export const announceSignIn = () => tell({ type: 'signed-in' });

export function announceCaller(callerId: string): void {
  pageCallerId = callerId;
  tell({ type: 'signed-in', callerId });
}

export function onSignIn(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The attributes of a link to the sign-in in a tab of its own, which closes itself: what was typed in this one stays. With
 * `opener`, because only a tab that another one opened may close itself.
 */
export const signInTab = { href: '/console/sign-in?close=true', target: '_blank', rel: 'noopener opener' };

export function useIsSignedOut(): boolean {
  return useStore(signedOut);
}

/** Ends the session here, and then at the identity provider if it has a page for that. */
export async function signOut(): Promise<void> {
  const response = await fetch('/sign-out', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  if (response.ok) tell({ type: 'signed-out' });
  const result: unknown = response.ok ? await response.json().catch(() => ({})) : {};
  const next = isObject(result) ? result.signOutUrl : undefined;
  window.location.assign(typeof next === 'string' ? next : '/console/sign-in');
}

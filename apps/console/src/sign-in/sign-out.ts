import { queryClient } from '../api/client.ts';
import { markSignedIn } from '../api/session-end.ts';

/** Ends the session here, and then at the identity provider if it has a page for that. */
export async function signOut(): Promise<void> {
  const response = await fetch('/sign-out', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  const answer = response.ok ? ((await response.json().catch(() => ({}))) as { signOutUrl?: string }) : {};
  window.location.assign(answer.signOutUrl ?? '/console/sign-in');
}

const channel = new BroadcastChannel('roster.sign-in');

/** Tells the other tabs of this browser that someone has signed in here. */
export function announceSignIn(): void {
  channel.postMessage('signed-in');
}

// A tab whose session had ended goes on as it is.
channel.addEventListener('message', () => {
  markSignedIn();
  void queryClient.invalidateQueries();
});

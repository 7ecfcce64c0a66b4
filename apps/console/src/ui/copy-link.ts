import { useLingui } from '@lingui/react/macro';
import { copyText } from './browser/clipboard.ts';
import { notify } from './notices.tsx';

/** A function that copies the address of what is shown, and says so. */
export function useCopyLink(): () => Promise<void> {
  const { t } = useLingui();
  return async () => {
    if (await copyText(window.location.href)) notify({ text: t`Link to this view copied` });
  };
}

import { useEffect } from 'react';
import { holdKeys } from '../../page/held-keys.ts';

/** In the place of a dialog until it is loaded: keys that are pressed meanwhile are no shortcuts. */
export function Opening() {
  useEffect(() => holdKeys({ onGiveUp: () => {} }).end, []);
  return null;
}

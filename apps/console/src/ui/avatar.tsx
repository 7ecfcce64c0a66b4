'use no memo';

import { hueOf, initialsOf } from '../resources/initials.ts';

interface AvatarProps {
  name: string;
  id: string;
  /** The width of the disc in pixels. */
  size?: 20 | 24 | 28 | 40 | 48 | 56;
  isInactive?: boolean;
}

/** The initials of a person in a disc, beside the name that says it all. */
export function Avatar({ name, id, size = 28, isInactive = false }: AvatarProps) {
  return (
    <span
      aria-hidden
      data-initials={initialsOf(name)}
      data-inactive={isInactive ? '' : undefined}
      style={{ '--hue': hueOf(id), '--disc': `${size}px` }}
    />
  );
}

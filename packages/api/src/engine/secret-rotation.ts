import { z } from 'zod';

const DAY_S = 24 * 60 * 60;
const OVERLAP_MAX_S = 30 * DAY_S;

/** The field of a rotation request for how long the previous secret stays valid. */
export function overlapField(description: string) {
  return z.int().min(0).max(OVERLAP_MAX_S).optional().meta({ description, example: 3600 });
}

interface SecretRotation {
  now: Date;
  secret: string;
  /** When the previous secret expires. */
  previousEndsAt: Date;
}

/**
 * Rotates the secret of a key or a webhook: `replace` stores the new one and lets the previous one expire after the overlap.
 * Resolves to the changed record with the new secret.
 *
 * @param overlapSeconds How long the previous secret stays valid; a day unless given.
 */
export async function rotateSecret<Rotated extends object>(
  { now, secret, overlapSeconds = DAY_S }: { now: Date; secret: string; overlapSeconds?: number | undefined },
  replace: (rotation: SecretRotation) => Promise<Rotated>,
): Promise<Rotated & { secret: string }> {
  const previousEndsAt = new Date(now.getTime() + overlapSeconds * 1_000);
  return { ...(await replace({ now, secret, previousEndsAt })), secret };
}

import { z } from 'zod';

const DAY_S = 24 * 60 * 60;
const OVERLAP_MAX_S = 30 * DAY_S;

export function overlapField(description: string) {
  return z.int().min(0).max(OVERLAP_MAX_S).optional().meta({ description, example: 3600 });
}

interface SecretRotation {
  now: Date;
  secret: string;
  previousEndsAt: Date;
}

/** `replace` stores the secret and lets the previous one expire after the overlap, a day by default. */
export async function rotateSecret<Rotated extends object>(
  { now, secret, overlapSeconds = DAY_S }: { now: Date; secret: string; overlapSeconds?: number | undefined },
  replace: (rotation: SecretRotation) => Promise<Rotated>,
): Promise<Rotated & { secret: string }> {
  const previousEndsAt = new Date(now.getTime() + overlapSeconds * 1_000);
  return { ...(await replace({ now, secret, previousEndsAt })), secret };
}

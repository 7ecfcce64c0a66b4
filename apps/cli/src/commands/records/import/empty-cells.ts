import type { UploadInput } from '@roster/client';

/** The effect of an empty cell on a field that has a value. */
export type EmptyCells = NonNullable<UploadInput['emptyCells']>;

export const emptyCells: readonly EmptyCells[] = ['keep', 'clear'];

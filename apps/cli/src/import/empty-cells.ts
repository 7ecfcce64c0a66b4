import type { UploadInput } from '@roster/client';

/** The effect of an empty cell on a field that has a value. */
export type EmptyCells = NonNullable<UploadInput['emptyCells']>;

const choices: readonly EmptyCells[] = ['keep', 'clear'];

/** The effect that a text names; undefined for another text. */
export const emptyCellsIn = (text: string): EmptyCells | undefined => choices.find((one) => one === text);

import { setFlagsFromString } from 'node:v8';

/** Keeps memory small where much passes through: V8 would let the heap grow to several times what it holds. */
export function keepHeapSmall(): void {
  setFlagsFromString('--optimize-for-size');
}

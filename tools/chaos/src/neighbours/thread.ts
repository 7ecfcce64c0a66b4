import { parentPort, workerData } from 'node:worker_threads';
import { type NeighbourName, neighbours, type Scene } from './neighbours.ts';

/** A neighbour, on a thread of its own, so that what it does does not delay the good caller. It ends when it is sent anything. */
export interface NeighbourData {
  name: NeighbourName;
  scene: Scene;
}

const { name, scene }: NeighbourData = workerData;
const stopping = new AbortController();
parentPort?.once('message', () => stopping.abort());
await neighbours[name](scene, stopping.signal);

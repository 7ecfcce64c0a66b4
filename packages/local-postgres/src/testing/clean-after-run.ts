import process from 'node:process';
import { cleanRunDirectory } from './run-directory.ts';

// Its standard input ends when the process that runs the tests does, however that ends.
process.stdin.resume().once('close', () => void cleanRunDirectory(String(process.argv[2])));

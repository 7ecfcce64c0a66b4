import process from 'node:process';
import { cleanRunDirectory } from './run-directory.ts';

// Standard input ends with the process that runs the tests, however that ends.
process.stdin.resume().once('close', () => void cleanRunDirectory(String(process.argv[2])));

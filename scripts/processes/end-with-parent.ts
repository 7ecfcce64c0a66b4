// Loaded into the server by `npm start`: the server stops in order when npm does.
import process from 'node:process';
import { whenParentEnds } from './parent.ts';

whenParentEnds(() => process.kill(process.pid, 'SIGTERM'));

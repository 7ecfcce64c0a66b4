// Sends this process SIGTERM once its parent has ended, as its shell does when npm is told to stop: npm hands its signals to the shell,
// and no further. Loaded into the server by `npm start`, and by what runs the tests.
// Plain JavaScript: removing types takes 20 MB, which the server would keep.
import process from 'node:process';

const CHECK_MS = 500;

// Read now: a process whose parent has ended has another one.
const parent = process.ppid;
const check = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(check);
  process.kill(process.pid, 'SIGTERM');
}, CHECK_MS).unref();

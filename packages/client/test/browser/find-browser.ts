import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of Chromium or Chrome: ROSTER_BROWSER, or the first one on PATH; undefined if there is none. */
export function findBrowser(): string | undefined {
  const { ROSTER_BROWSER: named, PATH = '' } = process.env;
  const candidates = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return named ?? candidates.find(isExecutable);
}

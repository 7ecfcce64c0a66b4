import type { Plugin } from 'rolldown';

/** Loads itself again every two seconds, until the console is in its place. */
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>Roster</title>
<h1>Preparing the console</h1>
<p>The first start downloads and builds it, which takes about a minute. This page opens it as soon as it's ready.</p>
<p>The service is running: <a href="/docs/">the documentation</a> and the command line work already.</p>
</html>
`;

/** Adds a page in the place of the console, which `npm start` prepares once the service runs. */
export const consolePlaceholder: Plugin = {
  name: 'console-placeholder',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'console/index.html', source: page });
  },
};

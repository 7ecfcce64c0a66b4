// Runs before an installation of the workspace: only pnpm, as scripts/install.mjs runs it, knows its catalogs and lockfile.
// Plain JavaScript for Node 20, as the installer is.
const name = (process.env.npm_config_user_agent ?? '').split('/', 1)[0];
if (name !== '' && name !== 'pnpm') {
  process.stderr.write(
    `This workspace is installed by pnpm, not by ${name}: run npm start or npm test, which do that first.\n`,
  );
  process.exitCode = 1;
}

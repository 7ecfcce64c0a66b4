import { setTimeout as pause } from 'node:timers/promises';
import { type Container, type DeploymentContext, startContainer } from './containers.ts';
import { beginLoad, call, changeSeen, type Target } from './load.ts';

/** Says that something holds, with what was measured; throws where it does not. */
export type Claim = (what: string, holds: boolean, details?: string) => void;

const CALLERS = 4;
const SETTLE_MS = 1_500;

/** The compose file's services, started in their order, and what a deployment of them has to do. */
export async function tryComposition(
  deployment: DeploymentContext,
  key: string,
  claim: Claim,
): Promise<void> {
  await using all = new AsyncDisposableStack();
  const running = new Map<string, Container>();
  for (const name of deployment.composition.services.keys()) {
    const begun = performance.now();
    running.set(name, all.use(await startContainer(name, deployment)));
    claim(`${name} is healthy`, true, `after ${Math.round(performance.now() - begun)} ms`);
  }
  const servers = Array.from(running.values()).filter(({ name }) => name.startsWith('server'));
  const balancer = running.get('balancer');
  if (balancer === undefined) throw new Error('There is no balancer.');
  const target = { url: `http://${balancer.address}:8080`, key };
  for (const server of servers) await trySandbox(server, deployment, claim);
  await tryRequests(target, servers, claim);
  for (const server of servers) {
    all.use(await tryRestart(server, target, deployment, running, claim));
  }
  await tryEnd(running, claim);
}

/** What the hardening promises of a server's sandbox. */
async function trySandbox(server: Container, { image }: DeploymentContext, claim: Claim): Promise<void> {
  const { name, execute } = server;
  const user = await execute(['id', '-u']);
  claim(`${name} is not root`, user.output.trim() === image.user?.split(':')[0], `uid ${user.output.trim()}`);
  const written = await execute(['touch', '/opt/roster/x']);
  claim(`${name} cannot write to its root`, written.output.includes('Read-only file system'));
  const rights = await execute(['grep', '-c', '-E', 'Cap(Eff|Bnd):.*[1-9a-f]', '/proc/self/status']);
  claim(`${name} has no capability`, rights.output.trim() === '0');
  const alive = await execute(image.healthcheck);
  claim(`the health check of the image finds ${name}`, alive.status === 0, alive.output);
  const elsewhere = ['env', 'PORT=1', ...image.healthcheck];
  claim('and says where there is none', (await execute(elsewhere)).status === 1);
}

async function tryRequests(target: Target, servers: Container[], claim: Claim): Promise<void> {
  const made = await call(target, '/offices', {
    method: 'POST',
    body: JSON.stringify({ name: 'Rua da Prata' }),
  });
  const office = (await made.json()) as { id: string };
  claim('an office is created through the balancer', made.status === 201);
  const read = await call(target, `/offices/${office.id}`);
  claim('and read again', read.status === 200);
  const page = await call(target, '/docs/');
  claim('the documentation is served', page.status === 200 && (await page.text()).includes('Roster'));
  const seenMs = await changeSeen(target, 'Seen at once');
  claim('an event comes through the balancer unbuffered', seenMs < 2_000, `${seenMs} ms after the change`);
  const used: Record<string, number> = { left: 0 };
  for (let calls = 0; calls < 10; calls += 1) {
    const response = await fetch(`${target.url}/offices`);
    used.left = Number(/;r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
  }
  const inside = await servers[0]?.execute(['node', '-e', leftFor(target.url)]);
  const left = Number(inside?.output);
  claim(
    'rates are counted for the caller, not for the balancer',
    left > (used.left ?? 0),
    `${used.left} and ${left} left`,
  );
}

/** What another caller has left of its rate: a script for the server's sandbox, whose address is another. */
const leftFor = (url: string) =>
  `fetch('${url}/offices').then(({ headers }) => console.log(/;r=(\\d+)/.exec(headers.get('ratelimit'))[1]))`;

async function tryRestart(
  server: Container,
  target: Target,
  deployment: DeploymentContext,
  running: Map<string, Container>,
  claim: Claim,
): Promise<Container> {
  const load = beginLoad(target, CALLERS);
  await pause(SETTLE_MS);
  const { status, tookMs, isKilled } = await server.stop();
  claim(
    `${server.name} ends with 0 at its stop signal`,
    status === 0 && !isKilled,
    `status ${status}, ${tookMs} ms`,
  );
  await pause(SETTLE_MS);
  const again = await startContainer(server.name, deployment);
  running.set(server.name, again);
  await pause(SETTLE_MS);
  const { requests, failures } = await load.end();
  const first = failures[0] === undefined ? '' : `, the first: ${failures[0].what} ${failures[0].why}`;
  const details = `${requests} requests, ${failures.length} failed${first}`;
  claim(
    `no request fails while ${server.name} is replaced`,
    failures.length === 0 && requests > 100,
    details,
  );
  return again;
}

/** Ends everything in the opposite order, as `docker compose down` does. */
async function tryEnd(running: Map<string, Container>, claim: Claim): Promise<void> {
  for (const [name, container] of Array.from(running).reverse()) {
    const { status, tookMs, isKilled } = await container.stop();
    claim(
      `${name} ends within its grace period`,
      status === 0 && !isKilled,
      `status ${status}, ${tookMs} ms`,
    );
  }
}

import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ip = (...words: string[]) => run('ip', words);

/** A bridged network of name spaces, apart from the machine's: what is in it can reach each other and nothing else. */
export interface Network extends AsyncDisposable {
  /** The name space that holds the bridge, at the first address: where callers are. */
  outside: string;
  /** The name spaces by the names they were asked for under. */
  spaces: Record<string, string>;
}

/**
 * Makes a network of a subnet (`10.87.0.0/24`) with a name space at each address. Needs root; removed with all in it
 * when it is disposed of.
 */
export async function openNetwork(subnet: string, addresses: Record<string, string>): Promise<Network> {
  const prefix = `ship${process.pid}`;
  const outside = `${prefix}-outside`;
  const spaces: Record<string, string> = {};
  const [base = '', bits = '24'] = subnet.split('/');
  await makeSpace(outside);
  await ip('-n', outside, 'link', 'add', 'bridge', 'type', 'bridge');
  await ip('-n', outside, 'addr', 'add', `${base.replace(/0$/, '1')}/${bits}`, 'dev', 'bridge');
  await ip('-n', outside, 'link', 'set', 'bridge', 'up');
  for (const [index, [name, address]] of Object.entries(addresses).entries()) {
    const space = `${prefix}-${name}`;
    spaces[name] = space;
    await makeSpace(space);
    const port = `port-${index}`;
    await ip('-n', outside, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    await ip('-n', outside, 'link', 'set', port, 'master', 'bridge', 'up');
    await ip('-n', space, 'addr', 'add', `${address}/${bits}`, 'dev', 'eth0');
    await ip('-n', space, 'link', 'set', 'eth0', 'up');
  }
  const dispose = async () => {
    for (const space of [...Object.values(spaces), outside]) await ip('netns', 'delete', space);
  };
  return { outside, spaces, [Symbol.asyncDispose]: dispose };
}

async function makeSpace(space: string): Promise<void> {
  await ip('netns', 'add', space);
  await ip('-n', space, 'link', 'set', 'lo', 'up');
}

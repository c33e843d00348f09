// A bridge on the test machine for guests, with an uplink: a pair of links, of which one is a port of the bridge.
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { runAtEnd } from './at-end.ts';

const ip = (...args: string[]): Promise<unknown> => promisify(execFile)('ip', args);

export interface Bridge extends AsyncDisposable {
  readonly name: string;
  /** The outer end of the uplink. */
  readonly uplink: string;
}

export async function makeBridge(): Promise<Bridge> {
  const id = randomInt(36 ** 6).toString(36);
  const [name, uplink, port] = [`hyb${id}`, `hyu${id}`, `hyp${id}`];
  const remove = runAtEnd(`ip link delete ${uplink}; ip link delete ${name}`);
  await ip('link', 'add', name, 'type', 'bridge', 'mcast_snooping', '0');
  await ip('link', 'add', uplink, 'type', 'veth', 'peer', 'name', port, 'address', macOfUplink);
  await ip('link', 'set', port, 'master', name);
  for (const link of [name, uplink, port]) await ip('link', 'set', link, 'up');
  return { name, uplink, [Symbol.asyncDispose]: remove };
}

const macOfUplink = '52:54:00:ff:ff:01';

/** Loads the rules for hypervisors that Hostyard ships, in a separate table. */
export async function loadHypervisorRules(): Promise<AsyncDisposable> {
  const table = `hostyard${randomInt(36 ** 6).toString(36)}`;
  const rules = await readFile(new URL('../../packaging/hypervisor.nft', import.meta.url), 'utf8');
  const remove = runAtEnd(`nft delete table bridge ${table}`);
  const loading = promisify(execFile)('nft', ['-f', '-']);
  loading.child.stdin!.end(rules.replaceAll(/table bridge hostyard/g, `table bridge ${table}`));
  await loading;
  return { [Symbol.asyncDispose]: remove };
}

// Machines on one network: each is a network namespace on a bridge of the test machine, so that it can crash or be cut off.
// Requires root. Namespaces and their processes are removed even if the test process is killed.
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import { runAtEnd } from './at-end.ts';

export interface MachineNetwork extends AsyncDisposable {
  /** The first three numbers of its addresses, with a dot at the end. The test machine has the address 1. */
  readonly prefix: string;
  /** Gives the test machine another address. */
  addAddress(host: number): Promise<void>;
  /** Adds a machine with the address `host`. */
  add(machine: string, host: number): Promise<void>;
  /** Returns the command that runs what follows on a machine. */
  on(machine: string): string[];
  /** Takes the network from a machine, or returns it. */
  setLink(machine: string, state: 'up' | 'down'): Promise<void>;
  /** Drops everything between a machine and the address `host`, until the returned function is called. */
  partition(machine: string, host: number): Promise<() => Promise<void>>;
  /** Kills everything on a machine. */
  crash(machine: string): Promise<void>;
}

/** A bridge without an address of its own takes the lowest of its ports, so a new machine could cut off the others. */
const bridgeMac = '52:54:00:ff:ff:02';
const run = promisify(execFile);
const ip = (...args: string[]): Promise<unknown> => run('ip', args);

export async function openMachineNetwork(): Promise<MachineNetwork> {
  const id = randomInt(36 ** 5).toString(36);
  const prefix = `10.${randomInt(128, 255)}.${randomInt(1, 255)}.`;
  const bridge = `hyb${id}`;
  const nameOf = (machine: string): string => `hy${id}${machine}`;
  // Some may have ended, or started another process, since they were listed.
  const killAll = (namespace: string): string =>
    `while pids=$(ip netns pids ${namespace}) && [ -n "$pids" ]; do kill -9 $pids 2>/dev/null; sleep 0.05; done`;
  const all = `ip netns list | cut -d ' ' -f 1 | grep '^${nameOf('')}'`;
  const remove = runAtEnd(
    `for name in $(${all}); do ${killAll('$name')}; ip netns delete $name; done; ip link delete ${bridge}`,
  );
  const addAddress = async (host: number): Promise<void> =>
    void (await ip('address', 'add', `${prefix}${host}/24`, 'dev', bridge));
  const on = (machine: string): string[] => ['ip', 'netns', 'exec', nameOf(machine)];
  try {
    await ip('link', 'add', bridge, 'address', bridgeMac, 'type', 'bridge');
    await addAddress(1);
    await ip('link', 'set', bridge, 'up');
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    prefix,
    addAddress,
    async add(machine, host) {
      const inside = ['-n', nameOf(machine)];
      await ip('netns', 'add', nameOf(machine));
      await ip('link', 'add', nameOf(machine), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', nameOf(machine));
      await ip('link', 'set', nameOf(machine), 'master', bridge, 'up');
      await ip(...inside, 'address', 'add', `${prefix}${host}/24`, 'dev', 'eth0');
      for (const link of ['lo', 'eth0']) await ip(...inside, 'link', 'set', link, 'up');
    },
    on,
    setLink: async (machine, state) => void (await ip('link', 'set', nameOf(machine), state)),
    async partition(machine, host) {
      const change = async (action: '-A' | '-D'): Promise<void> => {
        const [enter, ...args] = on(machine);
        const rules = [
          ['OUTPUT', '-d'],
          ['INPUT', '-s'],
        ] as const;
        for (const [chain, side] of rules)
          await run(enter!, [...args, 'iptables', '-w', action, chain, side, `${prefix}${host}`, '-j', 'DROP']);
      };
      await change('-A');
      return () => change('-D');
    },
    crash: async (machine) => void (await run('sh', ['-c', killAll(nameOf(machine))])),
    [Symbol.asyncDispose]: remove,
  };
}

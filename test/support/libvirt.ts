// A hypervisor with Debian's libvirt and QEMU, without KVM, which may hang even if the device exists. The daemon runs
// in its own namespaces, with empty /etc/libvirt, /var/lib and /run, so that suites do not affect each other or the
// developer's machines; everything, including the QEMUs, ends with the namespace's first process. Requires root. The
// storage pool is a tmpfs, so that a test can fill it.
import { execFile } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { runAtEnd } from './at-end.ts';
import { makeBridge } from './bridge.ts';
import { until, untilDefined } from './until.ts';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { findBinary, leaveOut, needsRoot, type SuiteOptions } from './needs.ts';
import { guestFolder } from './guest-initrd.ts';
import { buildTinyTemplate } from './tiny-template.ts';
import { withResources } from './resources.ts';

export interface LibvirtNode extends AsyncDisposable {
  readonly socket: string;
  readonly pool: string;
  readonly bridge: string;
  /** A link that leads to the bridge. */
  readonly uplink: string;
  /** Name of the template's volume, and path of an ISO image that holds `image.txt`. */
  readonly template: string;
  readonly image: string;
  /** Runs virsh, as witness. */
  virsh(...args: string[]): Promise<string>;
  /** Runs a shell script through the guest agent and returns its output; faster than a login. */
  runByAgent(machine: string, script: string): Promise<string>;
  /** Kills the daemon, which starts again; machines keep running. */
  restart(): Promise<void>;
  /** The daemon's process id. */
  daemon(): Promise<number>;
  /** Suspends or resumes the daemon. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Fills the pool until only `bytes` are left. */
  leaveRoom(bytes: number): Promise<void>;
}

const poolBytes = 4 * 2 ** 30;
const startWithinMs = 60_000;
const portsOfScreens = 60;

export function needsLibvirt(): SuiteOptions {
  const emulator = ['qemu-system-x86_64', 'qemu-img', 'grub-mkimage', 'cpio', 'mke2fs'];
  const options = needsRoot('libvirtd', 'virsh', ...emulator, 'unshare', 'nsenter', 'ip', 'ebtables', 'nft');
  return options.skip !== undefined || existsSync(guestFolder) ? options : leaveOut('no guest packages');
}

export async function startLibvirt(): Promise<LibvirtNode> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('libvirt'));
  const at = (name: string) => join(folder.path, name);
  const [poolFolder, socket] = [at('pool'), at('libvirt-sock')];
  await mkdir(poolFolder);
  await mkdir(at('etc'));
  await buildTinyTemplate(at('tiny.qcow2'));
  const firstPort = 20_000 + randomInt(400) * portsOfScreens;
  await writeFile(at('etc/qemu.conf'), qemuConfiguration(firstPort));
  await writeFile(at('libvirtd.conf'), daemonConfiguration(folder.path));
  const bridge = owned.use(await makeBridge());
  owned.defer(runAtEnd(removeStaleFilters(bridge.name)));

  const isolation = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  // swtpm_setup runs as another user, who cannot write to the folder of a test run.
  const env = { ...process.env, TMPDIR: '/tmp' };
  const holder = owned.use(
    await startDaemon('unshare', [...isolation, 'sh', '-c', inside, 'sh', folder.path, String(poolBytes)], { env }),
  );
  const firstProcess = async (): Promise<number> =>
    Number(await readFile(`/proc/${holder.process.pid}/task/${holder.process.pid}/children`, 'utf8'));
  const daemonProcess = async (): Promise<number> => {
    const children = await readFile(`/proc/${await firstProcess()}/task/${await firstProcess()}/children`, 'utf8');
    for (const id of children.split(' ').filter((id) => id !== ''))
      if ((await readFile(`/proc/${id}/comm`, 'utf8').catch(() => '')).startsWith('libvirtd')) return Number(id);
    return 0;
  };
  const virsh = async (...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)('virsh', ['-q', '-c', `qemu:///system?socket=${socket}`, ...args]);
    return stdout.trim();
  };
  const untilResponsive = async (): Promise<void> => {
    const giveUp = Date.now() + startWithinMs;
    for (;;) {
      const failure: unknown = await virsh('uri').then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) return;
      if (Date.now() > giveUp || !holder.running())
        throw new Error(`libvirtd does not respond:\n${holder.output()}`, { cause: failure });
      await sleep(100);
    }
  };
  const inNamespace = async (...args: string[]): Promise<void> =>
    void (await promisify(execFile)('nsenter', ['--target', String(await firstProcess()), '--mount', ...args]));

  await holder.printed('ready');
  await untilResponsive();
  await virsh('pool-define-as', 'machines', 'dir', '--target', poolFolder);
  await virsh('pool-autostart', 'machines');
  await virsh('pool-start', 'machines');
  await inNamespace('cp', at('tiny.qcow2'), poolFolder);
  await virsh('pool-refresh', 'machines');
  return withResources(owned, {
    socket,
    pool: 'machines',
    bridge: bridge.name,
    uplink: bridge.uplink,
    template: 'tiny.qcow2',
    image: at('image.iso'),
    virsh,
    runByAgent: (machine, script) =>
      runByAgent((command) => virsh('qemu-agent-command', machine, JSON.stringify(command)), script),
    async restart() {
      const before = await daemonProcess();
      process.kill(before, 'SIGKILL');
      await until(async () => ![0, before].includes(await daemonProcess()), { saw: () => holder.output() });
      await untilResponsive();
    },
    daemon: daemonProcess,
    signal: async (signal) => void process.kill(await daemonProcess(), signal),
    leaveRoom: async (bytes) => {
      const { stdout } = await promisify(execFile)('nsenter', [
        '--target',
        String(await firstProcess()),
        '--mount',
        'df',
        '--output=used',
        '-B1',
        poolFolder,
      ]);
      const used = Number(stdout.trim().split('\n').at(-1));
      await inNamespace('mount', '-o', `remount,size=${Math.min(used + bytes, poolBytes)}`, poolFolder);
    },
  });
}

async function runByAgent(sendCommand: (command: object) => Promise<string>, script: string): Promise<string> {
  const shell = { path: '/bin/sh', arg: ['-c', script], 'capture-output': true };
  const started = JSON.parse(await sendCommand({ execute: 'guest-exec', arguments: shell })) as {
    return: { pid: number };
  };
  return untilDefined(async () => {
    const { return: status } = JSON.parse(
      await sendCommand({ execute: 'guest-exec-status', arguments: started.return }),
    ) as {
      return: { exited: boolean; 'out-data'?: string };
    };
    return status.exited ? Buffer.from(status['out-data'] ?? '', 'base64').toString() : undefined;
  });
}

// The loop restarts the daemon when it ends. The daemon expects a user that another package would create, although its
// machines run as root here.
const inside = `
  for folder in /run /var/lib /var/cache /var/log; do mount -t tmpfs none $folder || exit 1; done
  mkdir /run/lock
  mount --bind "$1/etc" /etc/libvirt || exit 1
  for file in passwd group; do
    cp /etc/$file "$1/$file" && echo "libvirt-qemu:x:64055:64055::/:/bin/false" >>"$1/$file"
    mount --bind "$1/$file" /etc/$file || exit 1
  done
  mount -t tmpfs -o size=$2 none "$1/pool" || exit 1
  echo ready
  for time in 1 2 3 4 5; do ${findBinary('libvirtd') ?? 'libvirtd'} -f "$1/libvirtd.conf" -p "$1/pid"; rm -f "$1/pid"; done; exit 1`;

/**
 * A daemon that is killed leaves the filters of its machines in the kernel, by the names of links that are gone. Another
 * daemon may give a machine the same name at this moment, so each filter is removed in one transaction that fails if the
 * rule is not the stale one anymore.
 */
function removeStaleFilters(bridge: string): string {
  const rule = String.raw`s/.*iifname "\(vnet[0-9]*\)".* jump \(libvirt-[^ ]*\) # handle \([0-9]*\)/\1 \2 \3/p`;
  return `
    while ls /sys/class/net/${bridge}/brif | grep -q vnet; do sleep 0.1; done
    nft -a list chain bridge nat PREROUTING | sed -n '${rule}' | while read link chain handle; do
      [ -e /sys/class/net/$link ] && continue
      nft "delete rule bridge nat PREROUTING handle $handle; flush chain bridge nat $chain; delete chain bridge nat $chain"
    done`;
}

function daemonConfiguration(folder: string): string {
  return [
    `unix_sock_dir = "${folder}"`,
    'unix_sock_group = "root"',
    'auth_unix_rw = "none"',
    // Machines do not migrate between daemons that seem to be on one host.
    `host_uuid = "${randomUUID()}"`,
    'log_outputs = "3:stderr"',
    '',
  ].join('\n');
}

function qemuConfiguration(firstPort: number): string {
  return [
    'user = "root"',
    'group = "root"',
    'security_driver = "none"',
    'stdio_handler = "file"',
    'namespaces = []',
    'cgroup_controllers = []',
    'remember_owner = 0',
    `remote_display_port_min = ${firstPort}`,
    `remote_display_port_max = ${firstPort + portsOfScreens - 1}`,
    '',
  ].join('\n');
}

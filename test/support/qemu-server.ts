// A server that really runs: ipmi_sim with a QEMU as its chassis. Power on starts the process with the current boot
// device, power off ends it. KVM is never used, because it may hang even if the device exists.
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { startIpmiSim, type IpmiSim } from './ipmi-sim.ts';
import { withResources } from './resources.ts';

export interface QemuServer extends AsyncDisposable {
  readonly controller: IpmiSim;
  /** The process id, or undefined if it is not running. */
  process(): Promise<number | undefined>;
  /** The serial output since the last power on. */
  printed(): Promise<string>;
}

/** Printed after booting from the network. */
export const networkGreeting = 'booted from the network';
const longestSeconds = 120;
/** Long enough for an installation on a busy machine. */
const longestInstallSeconds = 290;

/** The machine, except for the boot device. The firmware finds its files in `$d/tftp`. */
const plainMachine = `-m 32 -serial "file:$d/serial" -boot "order=$order,strict=on" \\
    -netdev "user,id=n0,restrict=on,tftp=$d/tftp,bootfile=boot.ipxe" -device e1000,netdev=n0`;

// `timeout` ends a QEMU that is left over if this process is killed. The descriptors are closed because ipmi_sim waits
// until its pipe is closed everywhere.
const hookOf = (machine: string, seconds: number): string => `#!/bin/sh
d=$1; op=$2; shift 2
stored() { read -r v <"$d/$1" 2>/dev/null || v=$2; }
alive() { stored pid 0; [ "$v" != 0 ] && kill -0 "$v" 2>/dev/null; }
start() {
  alive && return
  stored boot none
  case $v in pxe) order=n;; cdrom) order=d;; *) order=c;; esac
  echo none >"$d/boot"
  setsid timeout -s KILL ${seconds} qemu-system-x86_64 -accel tcg,tb-size=128 -nographic -monitor none ${machine} \\
    </dev/null >"$d/qemu.log" 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
  echo $! >"$d/pid"
}
stop() {
  alive && kill "$v"
  n=0; while alive && [ $n -lt 50 ]; do sleep 0.1; n=$((n+1)); done
  alive && kill -9 "-$v"
  rm -f "$d/pid"
}
case $op in
get) while [ $# -gt 0 ]; do
       case $1 in power) if alive; then v=1; else v=0; fi;; boot) stored boot none;; *) exit 1;; esac
       echo "$1:$v"; shift; done;;
set) while [ $# -gt 0 ]; do
       p=$1 val=$2; shift 2
       case $p in
         power) if [ "$val" = 1 ]; then start; else stop; fi;;
         reset) alive || exit 1; stop; start;;
         boot) echo "$val" >"$d/boot";;
         *) exit 1;;
       esac; done;;
*) exit 1;;
esac
`;

export async function startQemuServer(): Promise<QemuServer> {
  const controller = await startIpmiSim({ hook: hookOf(plainMachine, longestSeconds) });
  const { hardware } = controller;
  await mkdir(join(hardware, 'tftp'));
  await writeFile(join(hardware, 'tftp', 'boot.ipxe'), `#!ipxe\necho ${networkGreeting}\nsleep ${longestSeconds}\n`);
  return {
    controller,
    process: () => processOf(controller),
    printed: () => readFile(join(hardware, 'serial'), 'latin1').catch(() => ''),
    [Symbol.asyncDispose]: () => stopServer(controller),
  };
}

export interface QemuInstallServer extends AsyncDisposable {
  readonly controller: IpmiSim;
  /** Sets where the firmware finds the first stage, before power on. */
  bootsFrom(url: string): Promise<void>;
  /** Everything that was printed on the serial line. */
  printed(): string;
  /** Freezes the machine until it is powered off, so that the test does not race with it. */
  freeze(): Promise<void>;
}

export interface QemuDisk {
  /** A raw image. */
  readonly path: string;
  readonly serial: string;
  /** True if the disk can discard blocks, or only claims to. */
  readonly discard?: 'works' | 'ignored' | 'missing';
}

/**
 * A server with disks and a network card, whose serial line is the BMC's. On slirp's user network the server is
 * 10.0.2.15, and this machine's loopback is 10.0.2.2.
 */
export async function startQemuInstallServer(card: {
  readonly mac: string;
  readonly disks: readonly QemuDisk[];
  readonly memoryMb?: number;
  readonly longestSeconds?: number;
}): Promise<QemuInstallServer> {
  await using owned = new AsyncDisposableStack();
  // QEMU and ipmi_sim both connect to the serial line as clients; this joins the two ends, for every QEMU that is
  // started.
  let line: Socket | undefined;
  let printed = '';
  const joint = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      printed += data.toString('latin1');
      line?.write(data);
    });
    line?.removeAllListeners('data').on('data', (data) => socket.write(data));
  }).listen(0, '127.0.0.1');
  await once(joint, 'listening');
  owned.defer(() => void joint.close());
  const { port } = joint.address() as AddressInfo;
  const controller = await startIpmiSim({
    hook: hookOf(
      `-m ${card.memoryMb ?? 160} -serial "tcp:127.0.0.1:${port}" \\
    -boot "order=c$([ $order = n ] && echo ,once=n)" \\
    ${card.disks.map(diskOptions).join(' ')} \\
    -netdev "user,id=n0,bootfile=$(cat "$d/bootfile")" -device "virtio-net-pci,netdev=n0,mac=${card.mac}"`,
      card.longestSeconds ?? longestInstallSeconds,
    ),
  });
  owned.defer(() => stopServer(controller));
  line = await controller.serialLine();
  return withResources(owned, {
    controller,
    bootsFrom: (url) => writeFile(join(controller.hardware, 'bootfile'), url),
    printed: () => printed,
    freeze: () => freeze(controller),
  });
}

function diskOptions({ path, serial, discard = 'works' }: QemuDisk, index: number): string {
  const image = `file=${path},format=raw,if=none,id=d${index},cache=unsafe`;
  const drive = `-drive "${image},discard=${discard === 'works' ? 'unmap' : 'ignore'}"`;
  const hasDiscard = discard === 'missing' ? 'off' : 'on';
  return `${drive} -device "virtio-blk-pci,drive=d${index},serial=${serial},discard=${hasDiscard}"`;
}

/** Stops QEMU only: `timeout` still receives the power off, and wakes QEMU to end it. */
async function freeze(controller: IpmiSim): Promise<void> {
  const id = await processOf(controller);
  const qemu = Number(await readFile(`/proc/${id}/task/${id}/children`, 'utf8'));
  process.kill(qemu, 'SIGSTOP');
}

async function processOf({ hardware }: IpmiSim): Promise<number | undefined> {
  const id = Number(await readFile(join(hardware, 'pid'), 'utf8').catch(() => '0'));
  return id > 0 && isRunning(id) ? id : undefined;
}

async function stopServer(controller: IpmiSim): Promise<void> {
  const id = await processOf(controller);
  if (id !== undefined) process.kill(-id, 'SIGKILL');
  await controller.stop();
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}

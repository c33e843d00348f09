// A server that really runs: ipmi_sim whose chassis is a QEMU. Power on starts the process, power off ends it, and the boot
// device is the one that it is started with. KVM is never used: a machine that has the file may still hang on it.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startIpmiSim, type IpmiSim } from './ipmi-sim.ts';

export interface QemuServer extends AsyncDisposable {
  readonly controller: IpmiSim;
  /** The id of the process; undefined where there is none. */
  process(): Promise<number | undefined>;
  /** All that the server has printed on its serial line since it was last switched on. */
  printed(): Promise<string>;
}

/** What the server prints when it has booted from the network. */
export const networkGreeting = 'booted from the network';
const longestSeconds = 120;

// `timeout` ends what nobody ended, should this process be shot. The descriptors are closed because ipmi_sim waits until
// nobody holds its pipe any more.
const hook = `#!/bin/sh
d=$1; op=$2; shift 2
stored() { read -r v <"$d/$1" 2>/dev/null || v=$2; }
alive() { stored pid 0; [ "$v" != 0 ] && kill -0 "$v" 2>/dev/null; }
start() {
  alive && return
  stored boot none
  case $v in pxe) order=n;; cdrom) order=d;; *) order=c;; esac
  echo none >"$d/boot"
  setsid timeout -s KILL ${longestSeconds} qemu-system-x86_64 -accel tcg -m 32 -nographic -monitor none \\
    -serial "file:$d/serial" -boot "order=$order,strict=on" \\
    -netdev "user,id=n0,restrict=on,tftp=$d/tftp,bootfile=boot.ipxe" -device e1000,netdev=n0 \\
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
  const controller = await startIpmiSim({ hook });
  const { hardware } = controller;
  await mkdir(join(hardware, 'tftp'));
  await writeFile(join(hardware, 'tftp', 'boot.ipxe'), `#!ipxe\necho ${networkGreeting}\nsleep ${longestSeconds}\n`);
  const processId = async (): Promise<number | undefined> => {
    const id = Number(await readFile(join(hardware, 'pid'), 'utf8').catch(() => '0'));
    return id > 0 && isRunning(id) ? id : undefined;
  };
  return {
    controller,
    process: processId,
    printed: () => readFile(join(hardware, 'serial'), 'latin1').catch(() => ''),
    async [Symbol.asyncDispose]() {
      const id = await processId();
      if (id !== undefined) process.kill(-id, 'SIGKILL');
      await controller.stop();
    },
  };
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}

// An ipmi_sim (Debian package openipmi) on a loopback address: a third party's BMC. Its chassis is a shell hook that
// stores power and boot device in files, clears the boot device after a boot, and logs every control command.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { until } from './until.ts';

export interface IpmiSim extends AsyncDisposable {
  address: string;
  port: number;
  username: string;
  password: string;
  /** Folder in which the chassis hook stores its state. */
  hardware: string;
  /** The chassis hook's log: "power 1", "reset 1", "boot pxe". */
  chassisLog(): Promise<string[]>;
  /** The hook's current boot device, in the simulator's words: none, pxe, default, cdrom, bios. */
  nextBoot(): Promise<string>;
  /** Resolves to the server's end of the serial line once the simulator has connected. */
  serialLine(): Promise<Socket>;
  stop(): Promise<void>;
}

const emulation = `mc_setbmc 0x20
mc_add 0x20 0 no-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02 persist_sdr
sel_enable 0x20 1000 0x0a
mc_enable 0x20
`;

const chassisHook = `#!/bin/sh
d=$1; op=$2; shift 2
stored() { read -r v <"$d/$1" 2>/dev/null || v=$2; }
case $op in
get) while [ $# -gt 0 ]; do
       case $1 in power) stored power 0;; boot) stored boot none;; *) exit 1;; esac
       echo "$1:$v"; shift; done;;
set) while [ $# -gt 0 ]; do
       p=$1 val=$2; shift 2
       case $p in
         power) echo "$val" >"$d/power"; [ "$val" = 0 ] || echo none >"$d/boot";;
         reset) stored power 0; [ "$v" = 1 ] || exit 1; echo none >"$d/boot";;
         shutdown) echo 0 >"$d/power";;
         boot) echo "$val" >"$d/boot";;
         *) exit 1;;
       esac
       echo "$p $val" >>"$d/log"; done;;
*) exit 1;;
esac
`;

const username = 'admin';
const password = 'secret12';

async function freeUdpPort(address: string): Promise<number> {
  const socket = createSocket('udp4').bind(0, address);
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

interface LanSettings {
  address: string;
  port: number;
  folder: string;
  serialPort: number;
  otherUsers: number;
}

function lanConfiguration({ address, port, folder, serialPort, otherUsers }: LanSettings): string {
  const others = Array.from(
    { length: otherUsers },
    (_, index) => `  user ${index + 3} true "other${index}" "${password}" user 10 none md2 md5 straight\n`,
  );
  return `name "bmc"
set_working_mc 0x20
  startlan 1
    addr ${address} ${port}
    priv_limit admin
    allowed_auths_user none md2 md5 straight
    allowed_auths_operator none md2 md5 straight
    allowed_auths_admin none md2 md5 straight
    guid a123456789abcdefa123456789abcde1
  endlan
  chassis_control "${folder}/chassis.sh ${folder}/hardware"
  sol "tcp:127.0.0.1:${serialPort}" 115200
  user 2 true "${username}" "${password}" admin 10 none md2 md5 straight
${others.join('')}`;
}

/** Starts the simulator on a loopback address and a free port, and waits until it responds. */
export async function startIpmiSim({
  address = '127.0.0.1',
  otherUsers = 0,
  hook = chassisHook,
} = {}): Promise<IpmiSim> {
  const temporary = await temporaryFolder('ipmi-sim');
  const folder = temporary.path;
  await mkdir(join(folder, 'state'));
  await mkdir(join(folder, 'hardware'));
  const serial = createServer().listen(0, '127.0.0.1');
  await once(serial, 'listening');
  const serialSockets: Socket[] = [];
  serial.on('connection', (socket) => {
    socket.on('error', () => {});
    serialSockets.push(socket);
  });
  const port = await freeUdpPort(address);
  const serialPort = (serial.address() as AddressInfo).port;
  await writeFile(join(folder, 'bmc.emu'), emulation);
  await writeFile(join(folder, 'chassis.sh'), hook, { mode: 0o755 });
  await writeFile(join(folder, 'lan.conf'), lanConfiguration({ address, port, folder, serialPort, otherUsers }));
  const files = ['-c', join(folder, 'lan.conf'), '-f', join(folder, 'bmc.emu'), '-s', join(folder, 'state')];
  const daemon = await startDaemon('ipmi_sim', ['-n', ...files]);

  const stop = async (): Promise<void> => {
    await daemon.stop();
    await closeServer(serial, serialSockets);
    await temporary[Symbol.asyncDispose]();
  };

  try {
    await waitForResponse(address, port);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address,
    port,
    username,
    password,
    hardware: join(folder, 'hardware'),
    chassisLog: async () => {
      const log = await readFile(join(folder, 'hardware', 'log'), 'utf8').catch(() => '');
      return log.split('\n').filter((line) => line !== '');
    },
    nextBoot: async () => (await readFile(join(folder, 'hardware', 'boot'), 'utf8').catch(() => 'none')).trim(),
    serialLine: async () => {
      await until(() => serialSockets.length > 0, { saw: () => daemon.output() });
      return serialSockets.at(-1) as Socket;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function closeServer(server: Server, sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
}

/** Sends a request until it is answered: the simulator has no other sign that it listens. */
async function waitForResponse(address: string, port: number): Promise<void> {
  const getChannelAuthenticationCapabilities = Buffer.from('0600ff07000000000000000000092018c88100388e04b5', 'hex');
  const socket = createSocket('udp4');
  socket.on('error', () => {});
  const sending = setInterval(() => socket.send(getChannelAuthenticationCapabilities, port, address, () => {}), 50);
  try {
    await once(socket, 'message', { signal: AbortSignal.timeout(20_000) });
  } finally {
    clearInterval(sending);
    socket.close();
  }
}

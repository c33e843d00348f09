// An ipmi_sim (Debian package openipmi) on a loopback address: a third party's BMC. Its chassis is a shell hook that
// stores power and boot device in files, clears the boot device after a boot, and logs every control command.

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { LabHardware } from '#lab/bmc/hardware.ts';
import { labSensorRecords, labSensors } from '#lab/bmc/inventory.ts';
import { startDaemon, type Daemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { ownLoopbackAddress } from './ports.ts';
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
  /** Runs a command of ipmi_sim_cmd(5), such as one that breaks a part. */
  run(command: string): Promise<void>;
  /** Resolves to the server's end of the serial line once the simulator has connected. */
  serialLine(): Promise<Socket>;
  stop(): Promise<void>;
}

const emulation = (sensors: readonly string[]): string => `mc_setbmc 0x20
mc_add 0x20 0 no-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02 persist_sdr
sel_enable 0x20 1000 0x0a
${sensors.map((line) => `${line}\n`).join('')}mc_enable 0x20
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

const ports = { lan: 6230, console: 6231 };
const username = 'admin';
const password = 'secret12';

interface LanSettings {
  address: string;
  folder: string;
  serialPort: number;
  otherUsers: number;
}

function lanConfiguration({ address, folder, serialPort, otherUsers }: LanSettings): string {
  const others = Array.from(
    { length: otherUsers },
    (_, index) => `  user ${index + 3} true "other${index}" "${password}" user 10 none md2 md5 straight\n`,
  );
  return `name "bmc"
console ${address} ${ports.console}
set_working_mc 0x20
  startlan 1
    addr ${address} ${ports.lan}
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

/** Starts the simulator on a loopback address, which no other may have, and waits until it responds. */
export async function startIpmiSim({
  address = ownLoopbackAddress(),
  otherUsers = 0,
  hook = chassisHook,
  /** Commands that add sensors: see `simulatedSensors`. */
  sensors = [] as readonly string[],
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
  const serialPort = (serial.address() as AddressInfo).port;
  await writeFile(join(folder, 'bmc.emu'), emulation(sensors));
  await writeFile(join(folder, 'chassis.sh'), hook, { mode: 0o755 });
  await writeFile(join(folder, 'lan.conf'), lanConfiguration({ address, folder, serialPort, otherUsers }));
  const files = ['-c', join(folder, 'lan.conf'), '-f', join(folder, 'bmc.emu'), '-s', join(folder, 'state')];
  const daemon = await startDaemon('ipmi_sim', ['-n', ...files]);

  const stop = async (): Promise<void> => {
    await daemon.stop();
    await closeServer(serial, serialSockets);
    await temporary[Symbol.asyncDispose]();
  };

  try {
    await waitForResponse(address, daemon);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address,
    port: ports.lan,
    username,
    password,
    hardware: join(folder, 'hardware'),
    chassisLog: async () => {
      const log = await readFile(join(folder, 'hardware', 'log'), 'utf8').catch(() => '');
      return log.split('\n').filter((line) => line !== '');
    },
    nextBoot: async () => (await readFile(join(folder, 'hardware', 'boot'), 'utf8').catch(() => 'none')).trim(),
    run: (command) => runOnConsole(address, command),
    serialLine: async () => {
      await until(() => serialSockets.length > 0, { saw: () => daemon.output() });
      return serialSockets.at(-1) as Socket;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The console echoes what it reads, and prints a prompt when it has run a command. */
async function runOnConsole(address: string, command: string): Promise<void> {
  const socket = connect(ports.console, address);
  let output = '';
  socket.on('data', (chunk) => (output += chunk.toString('latin1')));
  const promptsSeen = (): number => output.split('> ').length - 1;
  try {
    await until(() => promptsSeen() >= 1, { saw: () => output });
    socket.write(`${command}\n`);
    await until(() => promptsSeen() >= 2, { saw: () => output });
    assert.doesNotMatch(output, /error|invalid|unknown/i);
  } finally {
    socket.destroy();
  }
}

/** Adds the lab's sensors, with the readings of a server that is on; the processor's temperature is not available. */
export function simulatedSensors(): string[] {
  const hex = (byte: number): string => `0x${byte.toString(16)}`;
  const events = 'enable scanning per-state 000000000001111 000000000001111 000000000001111 000000000001111';
  const records = labSensorRecords().map((bytes) => `main_sdr_add 0x20 ${[...bytes].map(hex).join(' ')}`);
  const readings = labSensors.flatMap(({ record, read }) => {
    const { number, sensorType, readingType } = record;
    const sensor = `0x20 0 ${number}`;
    const { raw = 0, states = 0 } = read('on', new LabHardware())!;
    const isAnalog = record.conversion !== undefined;
    return [
      `sensor_add ${sensor} ${hex(sensorType)} ${hex(readingType)}`,
      ...(record.thresholds?.lowerCritical ? [`sensor_set_threshold ${sensor} readable 000010 0 0 0 0 10 0`] : []),
      ...(isAnalog ? [`sensor_set_value ${sensor} ${raw} 0`] : states === 0 ? [] : [`sensor_set_bit ${sensor} 0 1 0`]),
      `sensor_set_event_support ${sensor} ${number === 1 ? events.replace('scanning', 'no-scanning') : events}`,
    ];
  });
  return [...records, ...readings];
}

async function closeServer(server: Server, sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
}

/** Sends a request until it is answered: the simulator has no other sign that it listens. */
async function waitForResponse(address: string, daemon: Daemon): Promise<void> {
  const getChannelAuthenticationCapabilities = Buffer.from('0600ff07000000000000000000092018c88100388e04b5', 'hex');
  const socket = createSocket('udp4');
  socket.on('error', () => {});
  let hasResponded = false;
  socket.once('message', () => (hasResponded = true));
  try {
    await until(
      () => {
        if (!daemon.running()) throw new Error(`ipmi_sim has ended: ${daemon.output()}`);
        socket.send(getChannelAuthenticationCapabilities, ports.lan, address, () => {});
        return hasResponded;
      },
      { saw: () => daemon.output() },
    );
  } finally {
    socket.close();
  }
}

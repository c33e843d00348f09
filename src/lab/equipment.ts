// The lab's equipment: simulators on loopback that speak the real protocols. What they are told outlives a restart, in a
// file of its own beside lab.json: ports and passwords, and for each its own state.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomPassword } from '#kernel/random.ts';
import { startLabBmc, type LabBmc, type LabBmcOptions, type LabBmcState } from './bmc/bmc.ts';
import { noBootFlags } from './bmc/chassis.ts';
import type { BootHook } from './bmc/serial.ts';
import { factoryUsers } from './bmc/users.ts';
import { labPorts, labSwitchName } from './network.ts';
import { firstLabMachines, labNodeName } from './node/machines.ts';
import { startLabNode, type LabNode, type LabNodeState, type LabNodeTiming } from './node/node.ts';
import type { LabRedfish } from './redfish/redfish.ts';
import {
  newRedfish,
  redfishAccess,
  startLabRedfishServer,
  type KeptRedfish,
  type LabRedfishAccess,
} from './redfish/server.ts';
import { writeLabDisc } from './images.ts';
import { labNetworkBoot } from './network-boot.ts';
import { labCards, writeLabBootFiles, type LabBootFiles } from './systems.ts';
import { startLabSwitch, type LabSwitch } from './switch/switch.ts';

/** Servers behind IPMI: the customer's, which speaks Redfish beside it, and the stranger's, which does not. Another one of the
 * customer's is behind Redfish alone. */
const servers = [
  { name: 'dc01r01ds01', hostname: 'web1' },
  { name: 'dc01r02ds01', hostname: 'mail' },
];
const secretLength = 16;
const defaultInstallMs = 4500;

export interface LabBmcAccess {
  readonly server: string;
  readonly address: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}
export interface LabSwitchAccess {
  readonly address: string;
  readonly port: number;
  readonly community: string;
}
export interface LabNodeAccess {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly token: string;
}
export interface LabDetectorAccess {
  readonly name: string;
  readonly secret: string;
}
export interface LabEquipment extends AsyncDisposable {
  readonly bmcs: readonly (LabBmcAccess & { readonly simulator: LabBmc })[];
  readonly redfish: LabRedfishAccess & { readonly simulator: LabRedfish };
  /** Of the first of the BMCs. */
  readonly beside: LabRedfishAccess & { readonly simulator: LabRedfish };
  readonly network: LabSwitchAccess & { readonly simulator: LabSwitch };
  readonly node: LabNodeAccess & { readonly simulator: LabNode };
  /** What its servers boot over the network. */
  readonly bootFiles: LabBootFiles;
  /** From when on they do, and from where. */
  bootFrom(url: string): void;
  /** The disc behind every image of the catalogue. */
  readonly disc: string;
  /** Where the lab's router is told its null-routes. */
  readonly routesFile: string;
  /** Who may report attacks to the lab. */
  readonly detector: LabDetectorAccess;
}
export type LabTiming = Partial<LabNodeTiming> &
  NonNullable<LabBmcOptions['timing']> & {
    /** How long an installation over the network takes. */
    readonly installMs?: number;
  };

interface Kept {
  node?: { port: number; token: string; state?: LabNodeState };
  network?: { port: number; community: string };
  detector?: LabDetectorAccess;
  redfish?: KeptRedfish;
  beside?: KeptRedfish;
  readonly bmcs: Record<string, { port: number; password: string; state?: LabBmcState }>;
}

export async function startLabEquipment(dataFolder: string, timing: LabTiming = {}): Promise<LabEquipment> {
  const file = join(dataFolder, 'lab-equipment.json');
  const kept: Kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : { bmcs: {} };
  const save = (): void => {
    writeFileSync(`${file}.new`, JSON.stringify(kept, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  await using started = new AsyncDisposableStack();
  let bootUrl: string | undefined;
  const onBoot = (server: string): BootHook =>
    labNetworkBoot({ mac: labCards[server]!, url: () => bootUrl, installMs: timing.installMs ?? defaultInstallMs });
  let beside: LabRedfish | undefined;
  const bmcs: (LabBmcAccess & { simulator: LabBmc })[] = [];
  for (const [index, { name, hostname }] of servers.entries()) {
    const own = (kept.bmcs[name] ??= { port: 0, password: randomPassword(secretLength) });
    const options: LabBmcOptions = {
      admin: { username: 'provider', password: own.password },
      hostname,
      serialNumber: `LAB${String(index + 1).padStart(4, '0')}`,
      timing,
      onBoot: (boot) => (index === 0 ? beside?.discBoot(boot) : undefined) ?? onBoot(name)(boot),
      state: {
        // A new server is delivered switched on.
        load: () =>
          own.state ?? {
            power: 'on',
            bootFlags: noBootFlags,
            users: factoryUsers({ username: 'provider', password: own.password }),
          },
        save: (state) => {
          own.state = state;
          save();
        },
      },
    };
    const simulator = started.use(await onItsPort(own.port, (port) => startLabBmc({ ...options, port })));
    own.port = simulator.port;
    bmcs.push({
      server: name,
      address: simulator.address,
      port: own.port,
      username: 'provider',
      password: own.password,
      simulator,
    });
  }
  const keptBeside = (kept.beside ??= newRedfish());
  const [first] = bmcs;
  const ofFirst = {
    timing,
    server: first!.simulator.server,
    serialNumber: 'LAB0001',
    macs: [labCards[first!.server]!],
  };
  beside = started.use(
    await onItsPort(keptBeside.port, (port) => startLabRedfishServer(keptBeside, save, { ...ofFirst, port })),
  );
  keptBeside.port = beside.port;
  const keptRedfish = (kept.redfish ??= newRedfish());
  const redfish = started.use(
    await onItsPort(keptRedfish.port, (port) =>
      startLabRedfishServer(keptRedfish, save, { port, timing, onBoot: onBoot('dc01r01ds02-01') }),
    ),
  );
  keptRedfish.port = redfish.port;
  const own = (kept.network ??= { port: 0, community: randomPassword(secretLength) });
  const communities = { readWrite: own.community };
  const simulator = started.use(
    await onItsPort(own.port, (port) => startLabSwitch({ ports: labPorts, communities, name: labSwitchName, port })),
  );
  own.port = simulator.port;
  const hypervisor = (kept.node ??= { port: 0, token: randomPassword(secretLength) });
  const state = {
    load: () => (hypervisor.state ??= firstLabMachines(() => randomPassword(secretLength))),
    save: (next: LabNodeState) => {
      hypervisor.state = next;
      save();
    },
  };
  const { token } = hypervisor;
  const node = started.use(await onItsPort(hypervisor.port, (port) => startLabNode({ token, port, timing, state })));
  hypervisor.port = node.port;
  const detector = (kept.detector ??= { name: 'lab', secret: `whsec_${randomBytes(24).toString('base64')}` });
  save();
  const owned = started.move();
  const network = { address: simulator.address, port: own.port, community: own.community, simulator };
  return {
    bmcs,
    redfish: { ...redfishAccess(keptRedfish, redfish), simulator: redfish },
    beside: { ...redfishAccess(keptBeside, beside), simulator: beside },
    network,
    disc: writeLabDisc(dataFolder),
    bootFiles: writeLabBootFiles(dataFolder),
    bootFrom: (url) => void (bootUrl = url),
    node: { name: labNodeName, address: node.address, port: node.port, token, simulator: node },
    routesFile: join(dataFolder, 'lab-routes.txt'),
    detector,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The port of last time, or another one where somebody took it meanwhile. */
async function onItsPort<T>(port: number, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(port);
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return start(0);
  }
}

// The lab's equipment: simulators on loopback that speak the real protocols. Their ports, passwords and states survive
// a restart in a file next to lab.json.
import { randomBytes } from 'node:crypto';
import { mkdirSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomPassword } from '#lib/random.ts';
import { startLabBmc, type LabBmc, type LabBmcAccess, type LabBmcOptions, type LabBmcState } from './bmc/bmc.ts';
import { noBootFlags } from './bmc/chassis.ts';
import { labServerMachine, type BootHook, type SerialMachine } from './bmc/serial.ts';
import { factoryUsers } from './bmc/users.ts';
import { labPorts, labSwitchName } from './network.ts';
import { initialLabMachines, labHypervisorName } from './hypervisor/machines.ts';
import type { LabImage, LabVolume } from './hypervisor/machine.ts';
import {
  startLabHypervisor,
  type LabHypervisor,
  type LabHypervisorState,
  type LabHypervisorTiming,
} from './hypervisor/hypervisor.ts';
import type { LabRedfish } from './redfish/redfish.ts';
import {
  newRedfish,
  redfishAccess,
  startLabRedfishServer,
  type StoredRedfish,
  type LabRedfishAccess,
} from './redfish/lab-servers.ts';
import { writeLabDisc } from './images.ts';
import { labNetworkBoot } from './network-boot.ts';
import { labCards, labDisks, writeLabBootFiles, type LabBootFiles } from './systems.ts';
import { startLabSwitch, type LabSwitch } from './switch/switch.ts';
import { startOnPort } from './start-on-port.ts';

/**
 * Servers with IPMI. The first customer's also speaks Redfish, the other customer's does not. Another server of the first customer
 * speaks only Redfish.
 */
const servers = [
  { name: 'dc01r01ds01', hostname: 'web1' },
  { name: 'dc01r02ds01', hostname: 'mail' },
];
/** As its Redfish inventory describes it. */
const redfishMachine: SerialMachine = { cores: 8, memoryMb: 32_768, diskGb: 480 };
const secretLength = 16;
const defaultInstallMs = 4500;

type LabAddress = Pick<LabBmcAccess, 'address' | 'port'>;
export interface LabSwitchAccess extends LabAddress {
  readonly community: string;
}
export interface LabHypervisorAccess extends LabAddress {
  readonly name: string;
  readonly token: string;
}
export interface LabDetectorAccess {
  readonly name: string;
  readonly secret: string;
}
export interface LabEquipment extends AsyncDisposable {
  readonly bmcs: readonly (LabBmcAccess & { readonly simulator: LabBmc })[];
  readonly redfish: LabRedfishAccess & { readonly simulator: LabRedfish };
  /** The Redfish service of the first BMC's server. */
  readonly secondaryRedfish: LabRedfishAccess & { readonly simulator: LabRedfish };
  readonly network: LabSwitchAccess & { readonly simulator: LabSwitch };
  readonly hypervisor: LabHypervisorAccess & { readonly simulator: LabHypervisor };
  /** Files that its servers boot over the network. */
  readonly bootFiles: LabBootFiles;
  /** Sets the boot server's URL, which enables network boot. */
  bootFrom(url: string): void;
  /** Path of the ISO image behind every image of the catalogue. */
  readonly disc: string;
  /** File with the null routes of the lab's router. */
  readonly routesFile: string;
  /** Where its machines are backed up. */
  readonly backupsFolder: string;
  /** May report attacks to the lab. */
  readonly detector: LabDetectorAccess;
}
export type LabTiming = Partial<LabHypervisorTiming> &
  NonNullable<LabBmcOptions['timing']> & {
    /** How long a network installation takes. */
    readonly installMs?: number;
  };

interface StoredEquipment {
  node?: {
    port: number;
    token: string;
    state?: LabHypervisorState;
    volumes?: Record<string, LabVolume>;
    images?: Record<string, LabImage>;
  };
  network?: { port: number; community: string };
  detector?: LabDetectorAccess;
  redfish?: StoredRedfish;
  beside?: StoredRedfish;
  readonly bmcs: Record<string, { port: number; password: string; state?: LabBmcState }>;
}

export async function startLabEquipment(dataFolder: string, timing: LabTiming = {}): Promise<LabEquipment> {
  const file = join(dataFolder, 'lab-equipment.json');
  const backupsFolder = join(dataFolder, 'lab-backups');
  mkdirSync(backupsFolder, { recursive: true });
  const stored: StoredEquipment = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as StoredEquipment)
    : { bmcs: {} };
  const save = (): void => {
    writeFileSync(`${file}.new`, JSON.stringify(stored, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  await using started = new AsyncDisposableStack();
  /** Starts a simulator on its previous port, or on another one if that is in use. */
  const start = async <Simulator extends AsyncDisposable & LabAddress>(
    place: { port: number },
    startOn: (port: number) => Promise<Simulator>,
  ): Promise<Simulator> => {
    const simulator = started.use(await startOnPort(place.port, startOn));
    place.port = simulator.port;
    return simulator;
  };
  let bootUrl: string | undefined;
  const served = Promise.withResolvers<string>();
  const { installMs = defaultInstallMs } = timing;
  const onBoot = (server: string, uuid: string, { memoryMb }: SerialMachine): BootHook =>
    labNetworkBoot({
      mac: labCards[server]!,
      uuid,
      url: () => bootUrl,
      whenServed: served.promise,
      installMs,
      memoryMb,
    });
  let secondaryRedfish: LabRedfish | undefined;
  const bmcs: (LabBmcAccess & { simulator: LabBmc })[] = [];
  for (const [index, { name, hostname }] of servers.entries()) {
    const storedBmc = (stored.bmcs[name] ??= { port: 0, password: randomPassword(secretLength) });
    const admin = { username: 'provider', password: storedBmc.password };
    const options: LabBmcOptions = {
      admin,
      hostname,
      serialNumber: `LAB${String(index + 1).padStart(4, '0')}`,
      timing,
      disks: labDisks,
      onBoot: (boot) =>
        (index === 0 ? secondaryRedfish?.discBoot(boot) : undefined) ?? onBoot(name, '', labServerMachine)(boot),
      state: {
        // New servers are delivered powered on.
        load: () => storedBmc.state ?? { power: 'on', bootFlags: noBootFlags, users: factoryUsers(admin) },
        save: (state) => {
          storedBmc.state = state;
          save();
        },
      },
    };
    const simulator = await start(storedBmc, (port) => startLabBmc({ ...options, port }));
    bmcs.push({ server: name, address: simulator.address, port: simulator.port, ...admin, simulator });
  }
  const storedSecondary = (stored.beside ??= newRedfish());
  const [first] = bmcs;
  const firstServer = {
    timing,
    server: first!.simulator.server,
    serialNumber: 'LAB0001',
    hostname: servers[0]!.hostname,
    ipmiUsers: first!.simulator.users,
    macs: [labCards[first!.server]!],
  };
  secondaryRedfish = await start(storedSecondary, (port) =>
    startLabRedfishServer(storedSecondary, save, { ...firstServer, port }),
  );
  const storedRedfish = (stored.redfish ??= newRedfish());
  const redfish = await start(storedRedfish, (port) =>
    startLabRedfishServer(storedRedfish, save, {
      port,
      timing,
      disks: labDisks,
      machine: redfishMachine,
      onBoot: onBoot('dc01r01ds02-01', storedRedfish.uuid, redfishMachine),
    }),
  );
  const storedSwitch = (stored.network ??= { port: 0, community: randomPassword(secretLength) });
  const { community } = storedSwitch;
  const labSwitch = await start(storedSwitch, (port) =>
    startLabSwitch({ ports: labPorts, communities: { readWrite: community }, name: labSwitchName, port }),
  );
  const storedHypervisor = (stored.node ??= { port: 0, token: randomPassword(secretLength) });
  const state = {
    load: () => (storedHypervisor.state ??= initialLabMachines(() => randomPassword(secretLength))),
    save: (next: LabHypervisorState) => {
      storedHypervisor.state = next;
      save();
    },
  };
  const { token } = storedHypervisor;
  const volumes = (storedHypervisor.volumes ??= {});
  const images = (storedHypervisor.images ??= {});
  const hypervisor = await start(storedHypervisor, (port) =>
    startLabHypervisor({ token, port, timing, state, volumes, images }),
  );
  const detector = (stored.detector ??= { name: 'lab', secret: `whsec_${randomBytes(24).toString('base64')}` });
  save();
  const owned = started.move();
  return {
    bmcs,
    redfish: { ...redfishAccess(storedRedfish, redfish), simulator: redfish },
    secondaryRedfish: { ...redfishAccess(storedSecondary, secondaryRedfish), simulator: secondaryRedfish },
    network: { address: labSwitch.address, port: labSwitch.port, community, simulator: labSwitch },
    hypervisor: {
      name: labHypervisorName,
      address: hypervisor.address,
      port: hypervisor.port,
      token,
      simulator: hypervisor,
    },
    disc: writeLabDisc(dataFolder),
    bootFiles: writeLabBootFiles(dataFolder),
    bootFrom(url) {
      bootUrl = url;
      served.resolve(url);
    },
    routesFile: join(dataFolder, 'lab-routes.txt'),
    backupsFolder,
    detector,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

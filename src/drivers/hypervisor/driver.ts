// The interface of hypervisor drivers, for virtual machines and for containers. A hypervisor is composed of small
// parts; one that it lacks is an absent property, and using it is a 422 that names it. Every call takes a signal, and
// setting a state that already applies succeeds.
//
// A machine has a name and one or more systems, each with an id; Hostyard chooses both. It boots one of them. A
// reinstall never leaves a machine without a system: the new system is built alongside the old one, the machine is
// switched to it with `use`, and only then is the old one removed. To roll back, call `use` with the old id.
import type { Duplex } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import { ApiError, type ApiErrorDetail } from '#lib/api-error.ts';
import type { Adoption, MachineNames } from './adoption.ts';
import type { MachineBackups } from './backups.ts';
import type { ClusterMembers, MachineMigration } from './migration.ts';
import type { Snapshots } from './snapshots.ts';
import type { Volumes } from './volumes.ts';

export type MachinePowerState = 'on' | 'off';
export type MachineBootTarget = 'pxe' | 'cdrom' | 'disk';

/** Sizes of memory and disks are in binary units. */
export const bytesPerMb = 2 ** 20;
export const bytesPerGb = 2 ** 30;

export interface MachineShape {
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskGb: number;
  /** Lower case, 52:54:00:… */
  readonly mac: string;
  /** The blocks whose addresses it may use, such as 192.0.2.10/32, in canonical form. Whatever else it sends is dropped. */
  readonly networks: readonly string[];
}

export type MachineSize = Pick<MachineShape, 'vcpus' | 'memoryMb' | 'diskGb'>;

export interface MachineAddress {
  readonly address: string;
  readonly prefixLength: number;
  readonly gateway?: string;
}

export interface NetworkSettings {
  readonly addresses: readonly MachineAddress[];
  readonly nameServers: readonly string[];
}

/** What a system needs of a machine with its own kernel. */
export interface Platform {
  readonly firmware: 'bios' | 'uefi';
  /** Boots only signed systems; needs UEFI. */
  readonly secureBoot: boolean;
  /** A TPM 2.0. */
  readonly tpm: boolean;
}
export const plainPlatform: Platform = { firmware: 'bios', secureBoot: false, tpm: false };

export interface SystemBuild extends NetworkSettings {
  /** Letters, digits and hyphens. Building a system that exists, completely or in part, completes it. */
  readonly id: string;
  /** A volume, file or image alias, as named in the template catalogue. */
  readonly template: string;
  /** `plainPlatform` if absent. */
  readonly platform?: Platform;
  readonly hostname: string;
  readonly rootPassword: string;
  /** Public keys that root can sign in with. */
  readonly sshKeys: readonly string[];
  /** For cloud-init, at the first boot. Rejected with `capability_missing` if the system does not have it. */
  readonly userData?: string;
}

export interface MachineInfo {
  readonly name: string;
  readonly power: MachinePowerState;
  /** The cluster member that it runs on, if the hypervisor is a cluster. */
  readonly member?: string;
  /** In a list: false if nothing keeps the machine from using other addresses. Absent if that shows only while it runs. */
  readonly isFiltered?: boolean;
}

export interface Machines {
  list(signal: AbortSignal): Promise<readonly MachineInfo[]>;
  find(name: string, signal: AbortSignal): Promise<MachineInfo | undefined>;
  /**
   * Creates a machine that is off, with its first system. Rejects with `nothing_free` and creates nothing if there is
   * no capacity.
   */
  create(name: string, shape: MachineShape, first: SystemBuild, signal: AbortSignal): Promise<void>;
  /**
   * Changes which addresses the machine may use, also while it runs, and filters a machine that was not filtered before.
   * Rejects with `capability_missing` if the hypervisor cannot filter this machine.
   */
  setNetworks(name: string, networks: readonly string[], signal: AbortSignal): Promise<void>;
  /**
   * Changes processors, memory and disk; a larger disk stays unchanged. The machine must be off unless `resizesLive`. Rejects
   * with `nothing_free` and changes nothing if there is no capacity.
   */
  resize(name: string, size: MachineSize, signal: AbortSignal): Promise<void>;
  /** True if a running machine changes its size at once. */
  readonly resizesLive: boolean;
  /**
   * Removes the machine with all its systems, whatever its state, and erases its disks if the storage would show them to
   * the next machine. Rejects with `device_busy` while that takes longer; call it again until it succeeds.
   */
  remove(name: string, signal: AbortSignal): Promise<void>;
}

export interface MachinePower {
  state(name: string, signal: AbortSignal): Promise<MachinePowerState>;
  /** Resolves once the state is reached. Off is a hard power-off. */
  set(name: string, state: MachinePowerState, signal: AbortSignal): Promise<void>;
  /** Asks the guest to shut down; it may ignore the request. */
  requestShutdown(name: string, signal: AbortSignal): Promise<void>;
  /** Hard reset. Rejects with `state_conflict` if the machine is off. */
  reset(name: string, signal: AbortSignal): Promise<void>;
}

export interface Systems {
  /**
   * Builds a system alongside the current one, which keeps running. Rejects with `nothing_free` and creates nothing if
   * there is no capacity.
   */
  build(name: string, system: SystemBuild, signal: AbortSignal): Promise<void>;
  /** Returns the id of the system that the machine boots. */
  current(name: string, signal: AbortSignal): Promise<string>;
  /** Switches atomically to another system. The machine must be off. */
  use(name: string, id: string, signal: AbortSignal): Promise<void>;
  /**
   * Changes what the current system configures when it boots the next time. Nothing changes in the running system, nor if
   * the provider built the system or the customer replaced its settings.
   */
  setNetwork(name: string, settings: NetworkSettings, signal: AbortSignal): Promise<void>;
  /** Removes all systems except the current one. */
  tidy(name: string, signal: AbortSignal): Promise<void>;
}

export interface MachineMedia {
  /** `image` is the location from the image catalogue: a path on the hypervisor, or a volume. */
  insert(name: string, image: string, signal: AbortSignal): Promise<void>;
  eject(name: string, signal: AbortSignal): Promise<void>;
  /** Reads from the hypervisor whether this image is in the drive; without `image`, whether any is. */
  isInserted(name: string, image: string | undefined, signal: AbortSignal): Promise<boolean>;
}

export interface MachineBoot {
  /** Applies to the next boot only. */
  setNext(name: string, target: MachineBootTarget, signal: AbortSignal): Promise<void>;
}

/**
 * Settings inside the machine. If the guest agent has to apply them, a machine that is off is rejected with
 * `state_conflict`.
 */
export interface Guest {
  setHostname(name: string, hostname: string, signal: AbortSignal): Promise<void>;
  setPassword(name: string, password: string, signal: AbortSignal): Promise<void>;
}

export interface Tun {
  status(name: string, signal: AbortSignal): Promise<TunStatus>;
  /** Resolves with the new status. */
  set(name: string, state: TunState, signal: AbortSignal): Promise<TunStatus>;
}
export type TunState = 'enabled' | 'disabled';
export interface TunStatus {
  readonly state: TunState;
  /** When the state applies inside the machine. */
  readonly effect: 'now' | 'next start';
}

/** The stream is RFB from its first byte; `password` is valid for this connection. */
export interface VncConsole {
  open(name: string, signal: AbortSignal): Promise<{ readonly stream: Duplex; readonly password: string | undefined }>;
}

export interface TextConsole {
  open(name: string, signal: AbortSignal): Promise<Duplex>;
  /** Returns output from before the console was opened, if the hypervisor keeps it. */
  history?(name: string, signal: AbortSignal): Promise<Buffer>;
}

/** In bytes; undefined if unknown. Traffic, transfers of the disk and processor time are counted from the machine's start. */
export interface MachineUsage {
  /** Differs after every start of the machine, and on every member of a cluster; undefined if it is off. */
  readonly run: string | undefined;
  readonly cpuMs: number | undefined;
  readonly memoryUsed: number | undefined;
  readonly memoryTotal: number;
  readonly diskUsed: number | undefined;
  readonly diskTotal: number;
  /** By the machine. */
  readonly received: number | undefined;
  readonly sent: number | undefined;
  readonly diskRead: number | undefined;
  readonly diskWritten: number | undefined;
}
export interface MachineStatistics {
  read(name: string, signal: AbortSignal): Promise<MachineUsage>;
  /** Reads all machines in one call. A machine whose state the hypervisor does not know is left out. */
  readAll(signal: AbortSignal): Promise<ReadonlyMap<string, MachineUsage>>;
}

/** Free capacity for placement. A cluster reports its total and places machines itself. */
export interface Capacity {
  readonly memoryMb: number;
  readonly diskGb: number;
}

/** The whole hypervisor, with what machines use. A missing member is unknown. */
export interface HostTotals {
  /** Of the software that runs the machines. */
  readonly version?: string;
  /** Threads of its processors. */
  readonly cpus?: number;
  readonly memoryMb?: number;
  readonly diskGb?: number;
}

export interface Hypervisor extends AsyncDisposable {
  readonly machines: Machines;
  readonly power: MachinePower;
  readonly systems: Systems;
  readonly guest: Guest;
  readonly statistics: MachineStatistics;
  readonly media?: MachineMedia;
  readonly boot?: MachineBoot;
  readonly tun?: Tun;
  readonly vnc?: VncConsole;
  readonly text?: TextConsole;
  readonly adoption?: Adoption;
  readonly volumes?: Volumes;
  readonly snapshots?: Snapshots;
  readonly backups?: MachineBackups;
  readonly migration?: MachineMigration;
  /** For a hypervisor that can be a cluster. */
  readonly members?: ClusterMembers;
  freeCapacity(signal: AbortSignal): Promise<Capacity>;
  hostTotals(signal: AbortSignal): Promise<HostTotals>;
  /** Returns why the host cannot run machines as configured, in sentences. Absent if the driver cannot tell. */
  findHostProblems?(signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Returns why the host cannot run systems that need this, or why the given machine cannot be reinstalled with one, in
   * sentences. Absent if it runs all systems of its kinds.
   */
  findPlatformProblems?(
    platform: Platform,
    machine: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly string[]>;
}
export type HypervisorCapability = Exclude<
  keyof Hypervisor,
  symbol | 'freeCapacity' | 'hostTotals' | 'findHostProblems' | 'findPlatformProblems'
>;

/** The template types of the legacy API that a hypervisor can run: machines or containers. */
export type MachineKind = 'Xen' | 'OpenVZ';

export interface HypervisorDriver<S extends TSchema = TSchema> {
  readonly settings: S;
  readonly kinds: readonly MachineKind[];
  open(settings: Static<S>, names?: MachineNames): Promise<Hypervisor>;
}

export function requireCapability<C extends HypervisorCapability>(
  hypervisor: Hypervisor,
  capability: C,
): NonNullable<Hypervisor[C]> {
  const part = hypervisor[capability];
  if (part === undefined) throw missingCapability(capability);
  return part as NonNullable<Hypervisor[C]>;
}

const capabilityLabels: Partial<Record<HypervisorCapability, string>> = {
  media: 'drive for images',
  boot: 'choice of boot device',
  tun: 'tunnel devices',
  vnc: 'VNC console',
  text: 'text console',
  adoption: 'way to be adopted',
  volumes: 'support for volumes',
  snapshots: 'support for snapshots',
  backups: 'support for backups',
  migration: 'support for migration',
  members: 'cluster',
};

export function noCloudInit(internal: string): ApiError {
  return new ApiError('capability_missing', { message: 'The system has no cloud-init for the user data.', internal });
}

export function cannotFilter(internal: string): ApiError {
  const message = 'The hypervisor cannot filter the traffic of this machine.';
  return new ApiError('capability_missing', { message, internal });
}

/** Also for drivers that learn what is missing from a response. */
export function missingCapability(
  capability: HypervisorCapability,
  detail: Pick<ApiErrorDetail, 'cause' | 'internal'> = {},
): ApiError {
  return new ApiError('capability_missing', {
    ...detail,
    message: `This machine has no ${capabilityLabels[capability] ?? capability}.`,
  });
}

// The libvirt procedures that Hostyard calls, under libvirt's own names. Numbers and layouts are stable once released.
import { program } from './message.ts';
import {
  bytes,
  float64,
  int32,
  int64,
  list,
  nothing,
  opaque,
  optional,
  struct,
  tagged,
  text,
  uint32,
  uint64,
  type Codec,
  type Decoded,
} from './xdr.ts';

export interface Procedure<A, R> {
  readonly program: number;
  readonly number: number;
  readonly args: Codec<A>;
  readonly result: Codec<R>;
  /** Absent for what the daemon answers at once. */
  readonly wait?: Wait;
}

/** What the response of a call waits for: a guest, which decides when it answers, or a disk that is copied or erased. */
export type Wait = 'guest' | 'copy' | 'erasure';

function remote<A, R>(number: number, args: Codec<A>, result: Codec<R>): Procedure<A, R> {
  return { program: program.remote, number, args, result };
}
function qemu<A, R>(number: number, args: Codec<A>, result: Codec<R>): Procedure<A, R> {
  return { program: program.qemu, number, args, result };
}

function waiting<A, R>(wait: Wait, procedure: Procedure<A, R>): Procedure<A, R> {
  return { ...procedure, wait };
}

export type Domain = Decoded<typeof domain>;
/** `id` belongs to the running domain; it is -1 if the domain is not running. */
const domain = struct({ name: text, uuid: opaque(16), id: int32 });

export type StoragePool = Decoded<typeof pool>;
const pool = struct({ name: text, uuid: opaque(16) });

export type StorageVolume = Decoded<typeof volume>;
const volume = struct({ pool: text, name: text, key: text });

const networkFilter = struct({ name: text, uuid: opaque(16) });
/** A filter that is in force on an interface of the host. */
const filterBinding = struct({ interface: text, filter: text });

export type ParameterValue = number | bigint | string;
const valuesByTag = { 1: int32, 2: uint32, 3: int64, 4: uint64, 5: float64, 6: int32, 7: text };
const parameterValue = tagged(valuesByTag as Record<number, Codec<ParameterValue>>);
const parameters = list(struct({ field: text, value: parameterValue }));
const domainStatistics = struct<{ dom: Domain; params: Decoded<typeof parameters> }>({
  dom: domain,
  params: parameters,
});

const domainOnly = struct({ dom: domain });
const domainWithFlags = struct({ dom: domain, flags: uint32 });
const xmlOnly = struct({ xml: text });

export const authList = remote(66, nothing, struct({ types: list(int32) }));
export const authPolkit = remote(70, nothing, struct({ complete: int32 }));
export const connectOpen = remote(1, struct({ name: optional(text), flags: uint32 }), nothing);
/**
 * The version of QEMU for the host's own architecture: a million times the major, plus a thousand times the minor version, plus the
 * release.
 */
export const connectGetVersion = remote(4, nothing, struct({ version: uint64 }));
/** The version of libvirt, alike. */
export const connectGetLibVersion = remote(157, nothing, struct({ version: uint64 }));
export const nodeGetInfo = remote(
  6,
  nothing,
  struct({
    model: opaque(32 * 4),
    memoryKib: uint64,
    cpus: int32,
    mhz: int32,
    nodes: int32,
    sockets: int32,
    cores: int32,
    threads: int32,
  }),
);
export const connectGetCapabilities = remote(7, nothing, xmlOnly);
/** The features that the emulator offers to machines of this type. */
export const connectGetDomainCapabilities = remote(
  342,
  struct({
    emulator: optional(text),
    arch: optional(text),
    machine: optional(text),
    virttype: optional(text),
    flags: uint32,
  }),
  struct({ capabilities: text }),
);
export const connectListAllDomains = remote(
  273,
  struct({ needResults: int32, flags: uint32 }),
  struct({ domains: list(domain), count: uint32 }),
);
export const connectGetAllDomainStats = remote(
  344,
  struct({ doms: list(domain), stats: uint32, flags: uint32 }),
  struct({ records: list(domainStatistics) }),
);

export const domainLookupByName = remote(23, struct({ name: text }), domainOnly);
export const domainDefineXml = remote(11, xmlOnly, domainOnly);
export const domainGetXmlDesc = remote(14, domainWithFlags, xmlOnly);
export const domainUndefineFlags = remote(231, domainWithFlags, nothing);
export const domainCreate = remote(9, domainOnly, nothing);
export const domainDestroyFlags = remote(234, domainWithFlags, nothing);
/** Asks the guest's agent, if it has one. */
export const domainShutdownFlags = waiting('guest', remote(258, domainWithFlags, nothing));
export const domainReset = remote(245, domainWithFlags, nothing);
const deviceChange = struct({ dom: domain, xml: text, flags: uint32 });
export const domainAttachDeviceFlags = remote(160, deviceChange, nothing);
export const domainDetachDeviceFlags = waiting('guest', remote(161, deviceChange, nothing));
/** `disk` is the target or the path of a disk of a running machine. */
export const domainBlockResize = remote(251, struct({ dom: domain, disk: text, size: uint64, flags: uint32 }), nothing);
/** Copies a disk of a running machine to the file that `destination` describes, and continues to copy new writes. */
export const domainBlockCopy = remote(
  345,
  struct({ dom: domain, path: text, destination: text, params: parameters, flags: uint32 }),
  nothing,
);
const diskJob = struct({ dom: domain, path: text, flags: uint32 });
export const domainGetBlockInfo = remote(
  194,
  diskJob,
  struct({ allocation: uint64, capacity: uint64, physical: uint64 }),
);
export const domainBlockJobAbort = remote(237, diskJob, nothing);
export const domainGetBlockJobInfo = remote(
  238,
  diskJob,
  struct({ found: int32, type: int32, bandwidth: uint64, done: uint64, total: uint64 }),
);
export const domainUpdateDeviceFlags = remote(174, struct({ dom: domain, xml: text, flags: uint32 }), nothing);
/** Opens a stream. */
export const domainOpenConsole = remote(201, struct({ dom: domain, device: optional(text), flags: uint32 }), nothing);

/** `type` is 0 if no job runs. Of a migration, the data is memory and disks, in bytes. */
export const domainGetJobInfo = remote(
  163,
  domainOnly,
  struct({
    type: int32,
    timeElapsed: uint64,
    timeRemaining: uint64,
    dataTotal: uint64,
    dataProcessed: uint64,
    dataRemaining: uint64,
    memTotal: uint64,
    memProcessed: uint64,
    memRemaining: uint64,
    fileTotal: uint64,
    fileProcessed: uint64,
    fileRemaining: uint64,
  }),
);
export const domainAbortJob = remote(164, domainOnly, nothing);
/** With the flag for peer-to-peer migration this is the whole migration, which the daemon does itself. */
export const domainMigratePerform3Params = waiting(
  'copy',
  remote(
    305,
    struct({ dom: domain, targetUri: optional(text), params: parameters, cookie: bytes, flags: uint32 }),
    struct({ cookie: bytes }),
  ),
);

export const storagePoolLookupByName = remote(84, struct({ name: text }), struct({ pool }));
export const storagePoolRefresh = remote(83, struct({ pool, flags: uint32 }), nothing);
export const storagePoolGetInfo = remote(
  87,
  struct({ pool }),
  struct({ state: uint32, capacity: uint64, allocation: uint64, available: uint64 }),
);
export const storagePoolGetXmlDesc = remote(88, struct({ pool, flags: uint32 }), xmlOnly);
export const storagePoolListAllVolumes = remote(
  282,
  struct({ pool, needResults: int32, flags: uint32 }),
  struct({ volumes: list(volume), count: uint32 }),
);
export const storageVolLookupByName = remote(95, struct({ pool, name: text }), struct({ volume }));
export const storageVolLookupByPath = remote(97, struct({ path: text }), struct({ volume }));
export const storageVolCreateXml = remote(93, struct({ pool, xml: text, flags: uint32 }), struct({ volume }));
/** Copies `source`, which no running machine may use. */
export const storageVolCreateXmlFrom = waiting(
  'copy',
  remote(125, struct({ pool, xml: text, source: volume, flags: uint32 }), struct({ volume })),
);
export const storageVolDelete = remote(94, struct({ volume, flags: uint32 }), nothing);
/** Overwrites it with zeros. */
export const storageVolWipe = waiting('erasure', remote(165, struct({ volume, flags: uint32 }), nothing));
export const storageVolResize = remote(260, struct({ volume, capacity: uint64, flags: uint32 }), nothing);
export const storageVolGetInfo = remote(
  98,
  struct({ volume }),
  struct({ type: int32, capacity: uint64, allocation: uint64 }),
);
export const storageVolGetXmlDesc = remote(99, struct({ volume, flags: uint32 }), xmlOnly);
const volumeRange = struct({ volume, offset: uint64, length: uint64, flags: uint32 });
/** These two open a stream. */
export const storageVolUpload = remote(208, volumeRange, nothing);
export const storageVolDownload = remote(209, volumeRange, nothing);

export const nwfilterDefineXml = remote(180, xmlOnly, struct({ filter: networkFilter }));
export const nwfilterUndefine = remote(181, struct({ filter: networkFilter }), nothing);
export const connectListAllNwfilterBindings = remote(
  401,
  struct({ needResults: int32, flags: uint32 }),
  struct({ bindings: list(filterBinding), count: uint32 }),
);

export const qemuDomainAgentCommand = waiting(
  'guest',
  qemu(
    3,
    struct({ dom: domain, command: text, timeoutSeconds: int32, flags: uint32 }),
    struct({ result: optional(text) }),
  ),
);
export const qemuDomainMonitorCommand = qemu(
  1,
  struct({ dom: domain, command: text, flags: uint32 }),
  struct({ result: text }),
);

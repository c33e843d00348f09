// The libvirt procedures that Hostyard calls, under libvirt's own names. Numbers and layouts are stable once released.
import { program } from './message.ts';
import {
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
} from './xdr.ts';

export interface Procedure<A, R> {
  readonly program: number;
  readonly number: number;
  readonly args: Codec<A>;
  readonly result: Codec<R>;
}

function remote<A, R>(number: number, args: Codec<A>, result: Codec<R>): Procedure<A, R> {
  return { program: program.remote, number, args, result };
}

export interface Domain {
  readonly name: string;
  readonly uuid: Buffer;
  /** Id of the running domain; -1 if it is not running. */
  readonly id: number;
}
const domain = struct<Domain>({ name: text, uuid: opaque(16), id: int32 });

export interface StoragePool {
  readonly name: string;
  readonly uuid: Buffer;
}
const pool = struct<StoragePool>({ name: text, uuid: opaque(16) });

export interface StorageVolume {
  readonly pool: string;
  readonly name: string;
  readonly key: string;
}
const volume = struct<StorageVolume>({ pool: text, name: text, key: text });

export type ParameterValue = number | bigint | string;
export interface Parameter {
  readonly field: string;
  readonly value: { readonly tag: number; readonly value: ParameterValue };
}
const valuesByTag = { 1: int32, 2: uint32, 3: int64, 4: uint64, 5: float64, 6: int32, 7: text };
const parameter = struct<Parameter>({
  field: text,
  value: tagged(valuesByTag as Record<number, Codec<ParameterValue>>),
});

const domainOnly = struct({ dom: domain });
const domainWithFlags = struct({ dom: domain, flags: uint32 });
const xmlOnly = struct({ xml: text });

export const authList = remote(66, nothing, struct({ types: list(int32) }));
export const authPolkit = remote(70, nothing, struct({ complete: int32 }));
export const connectOpen = remote(1, struct({ name: optional(text), flags: uint32 }), nothing);
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
export const connectListAllDomains = remote(
  273,
  struct({ needResults: int32, flags: uint32 }),
  struct({ domains: list(domain), count: uint32 }),
);
export const connectGetAllDomainStats = remote(
  344,
  struct({ doms: list(domain), stats: uint32, flags: uint32 }),
  struct({
    records: list(struct<{ dom: Domain; params: readonly Parameter[] }>({ dom: domain, params: list(parameter) })),
  }),
);

export const domainLookupByName = remote(23, struct({ name: text }), domainOnly);
export const domainDefineXml = remote(11, xmlOnly, domainOnly);
export const domainGetXmlDesc = remote(14, domainWithFlags, xmlOnly);
export const domainUndefineFlags = remote(231, domainWithFlags, nothing);
export const domainCreate = remote(9, domainOnly, nothing);
export const domainDestroyFlags = remote(234, domainWithFlags, nothing);
export const domainShutdownFlags = remote(258, domainWithFlags, nothing);
export const domainReset = remote(245, domainWithFlags, nothing);
export const domainUpdateDeviceFlags = remote(174, struct({ dom: domain, xml: text, flags: uint32 }), nothing);
export const domainSetUserPassword = remote(
  357,
  struct({ dom: domain, user: optional(text), password: optional(text), flags: uint32 }),
  nothing,
);
/** Opens a stream. */
export const domainOpenConsole = remote(201, struct({ dom: domain, device: optional(text), flags: uint32 }), nothing);

export const storagePoolLookupByName = remote(84, struct({ name: text }), struct({ pool }));
export const storagePoolRefresh = remote(83, struct({ pool, flags: uint32 }), nothing);
export const storagePoolGetInfo = remote(
  87,
  struct({ pool }),
  struct({ state: uint32, capacity: uint64, allocation: uint64, available: uint64 }),
);
export const storagePoolListAllVolumes = remote(
  282,
  struct({ pool, needResults: int32, flags: uint32 }),
  struct({ volumes: list(volume), count: uint32 }),
);
export const storageVolLookupByName = remote(95, struct({ pool, name: text }), struct({ volume }));
export const storageVolCreateXml = remote(93, struct({ pool, xml: text, flags: uint32 }), struct({ volume }));
export const storageVolDelete = remote(94, struct({ volume, flags: uint32 }), nothing);
export const storageVolGetInfo = remote(
  98,
  struct({ volume }),
  struct({ type: int32, capacity: uint64, allocation: uint64 }),
);
export const storageVolGetXmlDesc = remote(99, struct({ volume, flags: uint32 }), xmlOnly);
/** Opens a stream. */
export const storageVolUpload = remote(208, struct({ volume, offset: uint64, length: uint64, flags: uint32 }), nothing);

export const qemuDomainAgentCommand: Procedure<
  { readonly dom: Domain; readonly command: string; readonly timeoutSeconds: number; readonly flags: number },
  { readonly result: string | undefined }
> = {
  program: program.qemu,
  number: 3,
  args: struct({ dom: domain, command: text, timeoutSeconds: int32, flags: uint32 }),
  result: struct({ result: optional(text) }),
};
export const qemuDomainMonitorCommand: Procedure<
  { readonly dom: Domain; readonly command: string; readonly flags: number },
  { readonly result: string }
> = {
  program: program.qemu,
  number: 1,
  args: struct({ dom: domain, command: text, flags: uint32 }),
  result: struct({ result: text }),
};

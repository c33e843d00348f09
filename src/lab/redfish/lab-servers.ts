// The lab's servers that speak Redfish, with certificates and passwords that survive a restart. The customer's second
// server speaks only Redfish; the first one also speaks IPMI.
import { randomUUID } from 'node:crypto';
import type { SiteServer } from '#contract/site/site.ts';
import type { Certificate } from '#lib/certificate.ts';
import { randomPassword } from '#lib/random.ts';
import type { LabBmcAccess } from '../bmc/bmc.ts';
import { noBootFlags } from '../bmc/chassis.ts';
import { factoryAccounts } from './accounts.ts';
import {
  labCertificate,
  startLabRedfish,
  type LabRedfish,
  type LabRedfishOptions,
  type LabRedfishState,
} from './redfish.ts';

const redfishOnlyServer = { name: 'dc01r01ds02-01', hostname: 'db1', serialNumber: 'LAB0002' };
const macs = ['52:54:00:10:02:01', '52:54:00:10:02:02'];
const username = 'provider';
const secretLength = 16;

/** Stored with the lab's equipment. */
export interface StoredRedfish {
  port: number;
  kvmPort?: number;
  readonly password: string;
  readonly uuid: string;
  readonly certificate: Certificate;
  state?: LabRedfishState;
}

export interface LabRedfishAccess extends LabBmcAccess {
  readonly kvmPort: number;
  readonly fingerprint: string;
  readonly uuid: string;
  readonly macs: readonly string[];
}

export function newRedfish(): StoredRedfish {
  return { port: 0, password: randomPassword(secretLength), uuid: randomUUID(), certificate: labCertificate() };
}

type StartOptions = Pick<
  LabRedfishOptions,
  'port' | 'timing' | 'disks' | 'machine' | 'onBoot' | 'server' | 'serialNumber' | 'macs' | 'hostname' | 'ipmiUsers'
>;

export async function startLabRedfishServer(
  stored: StoredRedfish,
  save: () => void,
  options: StartOptions,
): Promise<LabRedfish> {
  const admin = { username, password: stored.password };
  const simulator = await startLabRedfish({
    ...redfishOnlyServer,
    macs,
    ...options,
    admin,
    kvmPort: stored.kvmPort ?? 0,
    uuid: stored.uuid,
    certificate: stored.certificate,
    state: {
      // New servers are delivered powered on.
      load: () =>
        stored.state ?? {
          power: 'on',
          bootFlags: noBootFlags,
          firmwareMode: 'UEFI',
          accounts: factoryAccounts(admin),
          image: undefined,
        },
      save: (state) => {
        stored.state = state;
        save();
      },
    },
  });
  stored.kvmPort = simulator.kvm.port;
  return simulator;
}

export function redfishAccess({ password, uuid }: StoredRedfish, simulator: LabRedfish): LabRedfishAccess {
  const { address, port, fingerprint, kvm } = simulator;
  const login = { address, port, username, password, fingerprint };
  return { server: redfishOnlyServer.name, ...login, kvmPort: kvm.port, uuid, macs };
}

/** Returns the driver settings for the site file. */
export function redfishSettings({ address, port, fingerprint, username: name, password }: LabRedfishAccess) {
  return { address, port, fingerprint, username: name, password };
}

/** The lab's BMCs have the launcher of a common make, but no Java program. */
export const labModel = 'aten';

export function redfishServer(access: LabRedfishAccess): SiteServer {
  const { server: name, uuid, macs: cards } = access;
  return {
    name,
    uuid,
    macs: [...cards],
    bmc: { driver: 'redfish', model: labModel, settings: redfishSettings(access) },
  };
}

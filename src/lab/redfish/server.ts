// The lab's servers that speak Redfish, known by the same certificate and password after a restart: the second one of the customer
// speaks nothing else, the first one speaks it beside IPMI.
import { randomUUID } from 'node:crypto';
import type { SiteServer } from '#contract/site.ts';
import type { Certificate } from '#kernel/certificate.ts';
import { randomPassword } from '#kernel/random.ts';
import { noBootFlags } from '../bmc/chassis.ts';
import { factoryAccounts } from './accounts.ts';
import {
  labCertificate,
  startLabRedfish,
  type LabRedfish,
  type LabRedfishOptions,
  type LabRedfishState,
} from './redfish.ts';

const alone = { name: 'dc01r01ds02-01', hostname: 'db1', serialNumber: 'LAB0002' };
const macs = ['52:54:00:10:02:01', '52:54:00:10:02:02'];
const username = 'provider';
const secretLength = 16;

/** What is kept of it beside the lab. */
export interface KeptRedfish {
  port: number;
  readonly password: string;
  readonly uuid: string;
  readonly certificate: Certificate;
  state?: LabRedfishState;
}

export interface LabRedfishAccess {
  readonly server: string;
  readonly address: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly fingerprint: string;
  readonly uuid: string;
  readonly macs: readonly string[];
}

export function newRedfish(): KeptRedfish {
  return { port: 0, password: randomPassword(secretLength), uuid: randomUUID(), certificate: labCertificate() };
}

type StartOptions = Pick<LabRedfishOptions, 'port' | 'timing' | 'onBoot' | 'server' | 'serialNumber' | 'macs'>;

export function startLabRedfishServer(kept: KeptRedfish, save: () => void, options: StartOptions): Promise<LabRedfish> {
  const admin = { username, password: kept.password };
  return startLabRedfish({
    ...alone,
    macs,
    ...options,
    admin,
    uuid: kept.uuid,
    certificate: kept.certificate,
    state: {
      // A new server is delivered switched on.
      load: () =>
        kept.state ?? {
          power: 'on',
          bootFlags: noBootFlags,
          firmwareMode: 'UEFI',
          accounts: factoryAccounts(admin),
          image: undefined,
        },
      save: (state) => {
        kept.state = state;
        save();
      },
    },
  });
}

export function redfishAccess({ password, uuid }: KeptRedfish, simulator: LabRedfish): LabRedfishAccess {
  const { address, port, fingerprint } = simulator;
  return { server: alone.name, address, port, username, password, fingerprint, uuid, macs };
}

/** What a site file says of it. */
export function redfishSettings({ address, port, fingerprint, username: name, password }: LabRedfishAccess) {
  return { address, port, fingerprint, username: name, password };
}

export function redfishServer(access: LabRedfishAccess): SiteServer {
  const { server: name, uuid, macs: cards } = access;
  return {
    name,
    uuid,
    macs: [...cards],
    bmc: { driver: 'redfish', model: 'lab', settings: redfishSettings(access) },
  };
}

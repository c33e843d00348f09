// lab.json, with everything a script or a new user needs to try the lab, and lab.env, the same for a shell. They are
// created at the first start and kept, so that the keys stay the same, and only the owner can read them.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabEquipment } from './equipment.ts';
import { labPortServices } from './network.ts';
import { createKeyText } from '#lib/key-text.ts';
import { randomPassword } from '#lib/random.ts';

export interface LabFile {
  url: string;
  /** The day of the lab's first start, from which the sample invoices are dated. */
  readonly since: string;
  readonly customer: {
    readonly account: string;
    readonly key: string;
    readonly email: string;
    readonly password: string;
    readonly passwordHash: string;
  };
  readonly stranger: { readonly account: string; readonly key: string; readonly service: string };
  /** A contact of the customer who can sign in too. */
  readonly colleague: { readonly email: string; readonly password: string };
  readonly operator: { readonly key: string };
  /** A staff member, who sets up a second factor at the first sign-in. */
  readonly staff: { readonly name: string; readonly password: string };
  readonly dedicated: {
    readonly service: string;
    readonly server: string;
    readonly ips: readonly string[];
    /** The provider's login to the BMC, to look behind the scenes with ipmitool. */
    bmc?: { readonly address: string; readonly port: number; readonly username: string; readonly password: string };
    /** Its switch port, for snmpget. */
    port?: { readonly address: string; readonly port: number; readonly community: string; readonly ifIndex: number };
  };
  readonly vps: { readonly service: string; readonly vmid: string; readonly ips: readonly string[] };
  readonly cloud: { readonly service: string; readonly vmid: string; readonly ips: readonly string[] };
  /** May report attacks to /hooks/detector/NAME, signed as described at standardwebhooks.com. */
  detector?: { readonly name: string; readonly secret: string };
  /** The built-in name server; port 0 before the first start. */
  readonly dns: { readonly address: string; readonly port: number };
  /** Where BMCs fetch images. */
  readonly media?: { readonly port: number };
  /** The VNC listener for the consoles of virtual machines. */
  readonly screens?: { readonly address: string; readonly port: number };
  /** The gateway to the consoles of dedicated servers. */
  readonly consoles?: { readonly ports: readonly number[]; readonly webPort?: number };
}

export async function readLabFile(
  dataFolder: string,
  today: string,
  hash: (password: string) => Promise<string>,
): Promise<LabFile> {
  const file = join(dataFolder, 'lab.json');
  if (existsSync(file)) return withUsers(JSON.parse(readFileSync(file, 'utf8')) as LabFile);
  const password = randomPassword(16);
  const passwordHash = await hash(password);
  return withUsers({
    url: '',
    since: today,
    customer: { account: '1', key: createKeyText().text, email: 'ada@example.net', password, passwordHash },
    stranger: { account: '2', key: createKeyText().text, service: '1101' },
    operator: { key: createKeyText().text },
    dedicated: { service: '1001', server: 'dc01r01ds01', ips: ['203.0.113.10', '2001:db8:1::10'] },
    vps: { service: '2001', vmid: '101', ips: ['203.0.113.130', '2001:db8:1::130'] },
    cloud: { service: '3001', vmid: '201', ips: ['203.0.113.140'] },
    dns: { address: '127.0.0.1', port: 0 },
  });
}

/** Adds users that are missing from the file of an earlier version. */
function withUsers(lab: Omit<LabFile, 'colleague' | 'staff'> & Partial<Pick<LabFile, 'colleague' | 'staff'>>): LabFile {
  return {
    ...lab,
    colleague: lab.colleague ?? { email: 'dana@example.net', password: lab.customer.password },
    staff: lab.staff ?? { name: 'staff', password: randomPassword(16) },
  };
}

/** Returns the file with the current addresses and logins of the equipment. */
export function withEquipment(lab: LabFile, equipment: Pick<LabEquipment, 'bmcs' | 'network' | 'detector'>): LabFile {
  const { address, port, username, password } = equipment.bmcs.find(({ server }) => server === lab.dedicated.server)!;
  const { ifIndex } = labPortServices.find(({ service }) => String(service) === lab.dedicated.service)!;
  const { address: switchAddress, port: switchPort, community } = equipment.network;
  return {
    ...lab,
    dedicated: {
      ...lab.dedicated,
      bmc: { address, port, username, password },
      port: { address: switchAddress, port: switchPort, community, ifIndex },
    },
    detector: equipment.detector,
  };
}

export function writeLabFile(dataFolder: string, lab: LabFile): void {
  replaceFile(join(dataFolder, 'lab.env'), shellLines(lab));
  replaceFile(join(dataFolder, 'lab.json'), `${JSON.stringify(lab, null, 2)}\n`);
}

/** The variables used by the commands in the README, for a shell: `. data/lab.env`. */
function shellLines({ url, customer, dedicated: { bmc, port }, dns }: LabFile): string {
  const variables = {
    HOSTYARD_URL: url,
    HOSTYARD_KEY: customer.key,
    LAB_BMC_PORT: bmc?.port,
    LAB_BMC_USERNAME: bmc?.username,
    LAB_BMC_PASSWORD: bmc?.password,
    LAB_SNMP_PORT: port?.port,
    LAB_SNMP_COMMUNITY: port?.community,
    LAB_DNS_PORT: dns.port,
  };
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value ?? ''}'\n`)
    .join('');
}

/** Replaces the file atomically, so that readers never see half of it. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

// lab.json: what a script or a newcomer needs to try the lab. It is made at the first start and kept, so that keys stay the
// same; only the owner may read it, as lab.env beside it, which has the same for a shell.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabEquipment } from './equipment.ts';
import { labPortServices } from './network.ts';
import { makeKeyText } from '#kernel/key-text.ts';
import { randomPassword } from '#kernel/random.ts';

export interface LabFile {
  url: string;
  /** The day on which this lab began; the sample invoices are dated from it. */
  readonly since: string;
  readonly customer: {
    readonly account: string;
    readonly key: string;
    readonly email: string;
    readonly password: string;
    readonly passwordHash: string;
  };
  readonly stranger: { readonly account: string; readonly key: string; readonly service: string };
  /** A contact of the customer who signs in too. */
  readonly colleague: { readonly email: string; readonly password: string };
  readonly operator: { readonly key: string };
  /** One of the provider's people, who enrols a second factor when he first signs in. */
  readonly staff: { readonly name: string; readonly password: string };
  readonly dedicated: {
    readonly service: string;
    readonly server: string;
    readonly ips: readonly string[];
    /** The provider's way into the controller, for whoever wants to look behind the scenes with ipmitool. */
    bmc?: { readonly address: string; readonly port: number; readonly username: string; readonly password: string };
    /** Its port on the switch, for snmpget. */
    port?: { readonly address: string; readonly port: number; readonly community: string; readonly ifIndex: number };
  };
  readonly vps: { readonly service: string; readonly vmid: string; readonly ips: readonly string[] };
  readonly cloud: { readonly service: string; readonly vmid: string; readonly ips: readonly string[] };
  /** Who may report attacks, to /hooks/detector/NAME, signed as standardwebhooks.com describes. */
  detector?: { readonly name: string; readonly secret: string };
  /** The built-in name server; port 0 before the first start. */
  readonly dns: { readonly address: string; readonly port: number };
  /** Where controllers fetch images. */
  readonly media?: { readonly port: number };
  /** The door to the screens of virtual machines, for a VNC viewer. */
  readonly screens?: { readonly address: string; readonly port: number };
}

export async function readLabFile(
  dataFolder: string,
  today: string,
  hash: (password: string) => Promise<string>,
): Promise<LabFile> {
  const file = join(dataFolder, 'lab.json');
  if (existsSync(file)) return withPeople(JSON.parse(readFileSync(file, 'utf8')) as LabFile);
  const password = randomPassword(16);
  const passwordHash = await hash(password);
  return withPeople({
    url: '',
    since: today,
    customer: { account: '1', key: makeKeyText().text, email: 'ada@example.net', password, passwordHash },
    stranger: { account: '2', key: makeKeyText().text, service: '1101' },
    operator: { key: makeKeyText().text },
    dedicated: { service: '1001', server: 'dc01r01ds01', ips: ['203.0.113.10', '2001:db8:1::10'] },
    vps: { service: '2001', vmid: '101', ips: ['203.0.113.130', '2001:db8:1::130'] },
    cloud: { service: '3001', vmid: '201', ips: ['203.0.113.140'] },
    dns: { address: '127.0.0.1', port: 0 },
  });
}

/** A lab of an earlier version has none of them in its file. */
function withPeople(
  lab: Omit<LabFile, 'colleague' | 'staff'> & Partial<Pick<LabFile, 'colleague' | 'staff'>>,
): LabFile {
  return {
    ...lab,
    colleague: lab.colleague ?? { email: 'dana@example.net', password: lab.customer.password },
    staff: lab.staff ?? { name: 'staff', password: randomPassword(16) },
  };
}

/** The file with the ways to the equipment as it is now. */
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

/** What the commands of the README need, for a shell: `. data/lab.env`. */
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

/** Whole or not at all: a reader never sees half a file. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

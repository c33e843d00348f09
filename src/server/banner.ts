// The banner of a running server: its addresses and, in the lab, how to sign in.
import { join } from 'node:path';
import type { Config } from '#lib/config.ts';
import type { LabFile } from '#lab/lab-file.ts';
import type { NetworkBoot } from './network-boot.ts';

export function banner(
  url: string,
  { dataFolder }: Pick<Config, 'dataFolder'>,
  lab: LabFile | undefined,
  boot: NetworkBoot | undefined,
): string {
  const lines = ['', '  Hostyard is running.', '', `  API        ${url}`, `  Reference  ${url}/docs`];
  if (boot !== undefined) lines.push(`  Boot       ${boot.url}${tftpText(boot)}`);
  if (lab === undefined) lines.push(`  Panel      ${withHostname(url)}/panel`);
  else lines.push(...labLines(url, lab, join(dataFolder, 'lab.json')));
  return `${lines.join('\n')}\n\n`;
}

function labLines(url: string, { customer, staff }: LabFile, file: string): string[] {
  return [
    `  Key        ${customer.key}`,
    `  Panel      ${withHostname(url)}/panel  sign in as ${customer.email}, password ${customer.password}`,
    `  Staff      same page: sign in as ${staff.name}, password ${staff.password}, or with the operator key in lab.json`,
    '',
    `  This is the lab: sample customers and simulated equipment. More details are in ${file}.`,
    `  Try        curl -H 'X-API-KEY: ${customer.key}' ${url}/v2/account`,
  ];
}

/** Browsers create passkeys only for hostnames, not for addresses. */
function withHostname(url: string): string {
  return url.replace('//127.0.0.1:', '//localhost:');
}

function tftpText({ tftp }: NetworkBoot): string {
  return tftp === undefined ? '' : ` and TFTP ${tftp.address}:${tftp.port}`;
}

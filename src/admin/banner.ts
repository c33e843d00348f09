// What the screen says once the server runs: where it answers and, in the lab, how to get in.
import { join } from 'node:path';
import type { Config } from '#kernel/config.ts';
import type { LabFile } from '#lab/file.ts';
import type { NetworkBoot } from './network-boot.ts';

export function banner(
  url: string,
  { dataFolder }: Pick<Config, 'dataFolder'>,
  lab: LabFile | undefined,
  boot: NetworkBoot | undefined,
): string {
  const lines = ['', '  Hostyard is running.', '', `  API        ${url}`, `  Reference  ${url}/docs`];
  if (boot !== undefined) lines.push(`  Boot       ${boot.url}${tftpWords(boot)}`);
  if (lab === undefined) lines.push(`  Panel      ${url}/panel`);
  else lines.push(...labLines(url, lab, join(dataFolder, 'lab.json')));
  return `${lines.join('\n')}\n\n`;
}

function labLines(url: string, { customer, staff }: LabFile, file: string): string[] {
  return [
    `  Key        ${customer.key}`,
    `  Panel      ${named(url)}/panel  sign in as ${customer.email}, password ${customer.password}`,
    `  Staff      there too: as ${staff.name}, password ${staff.password}, or with the operator's key in lab.json`,
    '',
    `  This is the lab: sample customers and simulated equipment. More of it stands in ${file}.`,
    `  Try        curl -H 'X-API-KEY: ${customer.key}' ${url}/v2/account`,
  ];
}

/** Browsers make passkeys for names only. */
function named(url: string): string {
  return url.replace('//127.0.0.1:', '//localhost:');
}

function tftpWords({ tftp }: NetworkBoot): string {
  return tftp === undefined ? '' : ` and TFTP ${tftp.address}:${tftp.port}`;
}

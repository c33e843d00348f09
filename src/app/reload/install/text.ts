// Escapes values for the languages that installers read. Values are validated first (`requireValidInput`) and quoted as
// well: two barriers, because a root shell is behind them.
import ipaddr from 'ipaddr.js';
import type { InstallInput } from './input.ts';

const hostname =
  /^(?=.{1,253}$)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const macAddress = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/;
const cryptHash = /^(?:\$6\$[./0-9A-Za-z=$]{1,200})?$/;
const serialNumber = /^[!-~](?:[ -~]{0,62}[!-~])?$/;
const sshKey = /^[ -~\u00a0-\uffff]{1,8192}$/;

/** Returns the same input, or throws an error that names the invalid fields without their content. */
export function requireValidInput(input: InstallInput): InstallInput {
  const wrong = [
    ...(hostname.test(input.hostname) ? [] : ['hostname']),
    ...(macAddress.test(input.mac) ? [] : ['mac']),
    ...(cryptHash.test(input.passwordHash) ? [] : ['passwordHash']),
    ...(input.addresses.every((address) => ipaddr.isValidCIDR(address)) ? [] : ['addresses']),
    ...(input.gateways.every(isAddress) ? [] : ['gateways']),
    ...(input.nameservers.every(isAddress) ? [] : ['nameservers']),
    ...(input.sshKeys.every((key) => sshKey.test(key)) ? [] : ['sshKeys']),
    ...([...input.disks.map(({ serial }) => serial), ...input.preserve].every((serial) => serialNumber.test(serial))
      ? []
      : ['disks']),
  ];
  if (wrong.length > 0) throw new Error(`not fit for an installer: ${wrong.join(', ')}`);
  return input;
}

function isAddress(text: string): boolean {
  return ipaddr.isValid(text) && !text.includes('%');
}

/** Quotes any text as one shell word. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns a shell command that prints the text. Base64 is safe in all of these languages. */
export function printCommand(text: string): string {
  return `echo ${Buffer.from(text).toString('base64')} | base64 -d`;
}

export function authorizedKeys({ sshKeys }: Pick<InstallInput, 'sshKeys'>): string {
  return sshKeys.map((key) => `${key}\n`).join('');
}

/** Splits `web1.example.net` into `web1` and `example.net`. */
export function splitHostname(name: string): { readonly host: string; readonly domain: string } {
  const dot = name.indexOf('.');
  return dot < 0 ? { host: name, domain: '' } : { host: name.slice(0, dot), domain: name.slice(dot + 1) };
}

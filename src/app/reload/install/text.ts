// From values to the small languages that installers read. Values are checked to be what they claim before anything is
// rendered (`checkedInput`), and quoted for the language all the same: two fences, since behind them is a root shell.
import ipaddr from 'ipaddr.js';
import type { InstallInput } from './input.ts';

const hostname =
  /^(?=.{1,253}$)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const macAddress = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/;
const cryptHash = /^(?:\$6\$[./0-9A-Za-z=$]{1,200})?$/;
const serialNumber = /^[!-~](?:[ -~]{0,62}[!-~])?$/;
const sshKey = /^[ -~\u00a0-\uffff]{1,8192}$/;

/** The same input, or an error that names what is wrong with it and nothing of its content. */
export function checkedInput(input: InstallInput): InstallInput {
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

/** One word of a shell, whatever is in it. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A shell command that prints the text. Base64 has no character that any of the languages minds, so it can stand anywhere. */
export function printed(text: string): string {
  return `echo ${Buffer.from(text).toString('base64')} | base64 -d`;
}

export function authorizedKeys({ sshKeys }: Pick<InstallInput, 'sshKeys'>): string {
  return sshKeys.map((key) => `${key}\n`).join('');
}

/** `web1.example.net` as `web1` and `example.net`. */
export function splitHostname(name: string): { readonly host: string; readonly domain: string } {
  const dot = name.indexOf('.');
  return dot < 0 ? { host: name, domain: '' } : { host: name.slice(0, dot), domain: name.slice(dot + 1) };
}

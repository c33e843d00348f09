// Names of TSIG keys. They are looked up before anything else is known of a message, so each carries a keyed digest:
// names that were never created cost no query, and the name server reveals nothing about the others.
import type { SecretBox } from '#lib/secrets.ts';

const digestLength = 10;

export function tsigName(secrets: Pick<SecretBox, 'digest'>, printableId: string): string {
  return `hy-${printableId}-${secrets.digest(`tsig ${printableId}`).slice(0, digestLength)}`;
}

/** Returns the printable id in the name of a key, or undefined if it was never created. */
export function readTsigName(secrets: Pick<SecretBox, 'digest'>, name: string): string | undefined {
  const printableId = /^hy-([a-z2-7]+)-/.exec(name)?.[1];
  return printableId !== undefined && tsigName(secrets, printableId) === name ? printableId : undefined;
}

export function tsigSealContext(printableId: string): string {
  return `keys ${printableId} tsig_secret`;
}

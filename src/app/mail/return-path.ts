// The return path of a message: a unique address, by which a report of its failure names it. A keyed digest proves
// that we wrote the address, so that forged reports change nothing.
import { sameSecret } from '#lib/secrets.ts';
import type { App } from '../app.ts';

const digestLength = 20;
const pattern = /\+(\d{1,16})\.([0-9a-f]{20})@/i;

export function returnPath(app: Pick<App, 'secrets'>, bounceAddress: string, mail: number): string {
  const at = bounceAddress.lastIndexOf('@');
  return `${bounceAddress.slice(0, at)}+${mail}.${digestOf(app, mail)}${bounceAddress.slice(at)}`;
}

/** Returns the number of the message, or undefined if the address is not one of ours. */
export function readReturnPath(app: Pick<App, 'secrets'>, address: string): number | undefined {
  const [, id = '', digest = ''] = pattern.exec(address) ?? [];
  const mail = Number(id);
  // Mail servers may change the case of an address.
  const isOurs = sameSecret(Buffer.from(digestOf(app, mail)), Buffer.from(digest.toLowerCase()));
  return isOurs ? mail : undefined;
}

function digestOf({ secrets }: Pick<App, 'secrets'>, mail: number): string {
  return secrets.digest(`mail return path ${mail}`).slice(0, digestLength);
}

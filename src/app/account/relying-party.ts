// For which host a passkey is made, and from which page one is taken. Browsers bind a passkey to a host name; we take the name
// under which we were called, from a page that the browser says is of that very host. Somebody who calls us with another name
// gains nothing: a passkey works only under the name that was written down with it when it was made.
import { isIP } from 'node:net';
import { Fault } from '#kernel/fault.ts';

export interface RelyingParty {
  /** The host name. */
  readonly id: string;
  readonly origin: string;
}

export function relyingParty(origin: string | undefined): RelyingParty {
  if (origin === undefined)
    throw new Fault('state_conflict', { message: 'Passkeys are for pages of this very host, in a browser.' });
  const { hostname, protocol } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new Fault('state_conflict', { message: 'Passkeys need a host name: open this page by its name.' });
  if (protocol !== 'https:' && hostname !== 'localhost')
    throw new Fault('state_conflict', { message: 'Passkeys need https.' });
  return { id: hostname, origin };
}

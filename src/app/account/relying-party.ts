// The host that a passkey is bound to. Browsers bind a passkey to a host name; we take the name in the request, if the
// browser says that the page comes from that same host. Using another name gains nothing: a passkey works only under
// the name stored with it at registration.
import { isIP } from 'node:net';
import { ApiError } from '#lib/api-error.ts';

export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

export function relyingParty(origin: string | undefined): RelyingParty {
  if (origin === undefined)
    throw new ApiError('state_conflict', {
      message: 'Passkeys can only be used in a browser, on a page of this host.',
    });
  const { hostname, protocol } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new ApiError('state_conflict', {
      message: 'Passkeys need a host name: open this page by its name instead of its IP address.',
    });
  if (protocol !== 'https:' && hostname !== 'localhost')
    throw new ApiError('state_conflict', { message: 'Passkeys need HTTPS.' });
  return { id: hostname, origin };
}

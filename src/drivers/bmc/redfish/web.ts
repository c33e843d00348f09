// The web page of a BMC with Redfish, over connections whose certificate is verified as for Redfish itself. Signs in by
// opening a Redfish session, which OpenBMC's page shares.
import { hostAndPort } from '#lib/config.ts';
import type { DriverWaits } from '../../waits.ts';
import type { WebPage } from '../driver.ts';
import { openSession } from './client.ts';
import { connectTls, openConnection, standardPort, toConnectError } from './connection.ts';
import { withApiErrors } from './error.ts';
import type { RedfishSettings } from './settings.ts';

export function createWebPage(settings: RedfishSettings, waits?: DriverWaits): WebPage {
  const { address, port = standardPort } = settings;
  return {
    // As browsers write it: without the standard port.
    host: new URL(`https://${hostAndPort({ host: address, port })}`).host,
    ...withApiErrors<Omit<WebPage, 'host'>>('web', {
      connect: (signal) =>
        connectTls(settings, signal).catch((error: unknown) => {
          throw toConnectError(error);
        }),
      async signIn(username, password, signal) {
        const connection = openConnection(settings, waits);
        try {
          // OpenBMC gives a page cookies, which its WebSockets need, and other clients a token.
          const headers = { 'x-requested-with': 'XMLHttpRequest' };
          const { token, cookies } = await openSession(connection, { username, password }, signal, headers);
          return { token, cookies };
        } finally {
          await connection.close();
        }
      },
    }),
  };
}

// Screens of virtual machines: a session has a password of its own, by which the proxy knows which machine is meant. VNC looks
// at eight characters of it only, so it is good for an hour, for one machine, and guessing is slowed down at the door
// (http/screen-proxy.ts). The node's address never reaches a customer.
import { need } from '#drivers/hypervisor/driver.ts';
import { Fault } from '#kernel/fault.ts';
import { randomBase32, randomPassword } from '#kernel/random.ts';
import { consoleTicketsRemoveOf } from '#store/devices/console-tickets.ts';
import { machineName } from '#store/devices/machines.ts';
import { metaFind } from '#store/meta.ts';
import {
  screenSessionFind,
  screenSessionInsert,
  screenSessionsOpen,
  screenSessionsRemoveOf,
  type ScreenSession,
} from '#store/devices/screen-sessions.ts';
import type { Service } from '#store/devices/services.ts';
import { isResponseTo } from '#wire/rfb/password.ts';
import type { SiteScreens } from '#contract/site-machines.ts';
import { viewerMayLook } from '../services/console-viewers.ts';
import { machineOf } from './machines.ts';
import { textOnly } from './screen-views.ts';
import type { Context, Yard } from '../yard.ts';

export type { ScreenSession };
export const screensMeta = 'screens';
const sessionMs = 3_600_000;
const significantCharacters = 8;
const idBits = 100;

/** A new session; one that was open before ends. */
export async function screenOpen(context: Context, service: Service) {
  const { yard, queries, caller } = context;
  const { node, vmid } = await machineOf(context, service);
  await yard.nodes.use(node, async (hypervisor) => {
    if (hypervisor.screen === undefined && hypervisor.text !== undefined) throw textOnly();
    need(hypervisor, 'screen');
  });
  const { host, port } = await doorOf(yard);
  const password = randomPassword(significantCharacters);
  const id = randomBase32(idBits);
  await endSessions(context, service);
  await screenSessionInsert(queries, {
    id,
    account_id: caller.account,
    service_id: service.id,
    key_id: caller.key,
    address: caller.address,
    password: yard.secrets.seal(password, sealContext(id)),
    expires_at: yard.clock.now() + sessionMs,
  });
  return { user: machineName(vmid), pass: password, host, port: String(port) };
}

export async function screenReset(context: Context, service: Service): Promise<void> {
  await machineOf(context, service);
  await endSessions(context, service);
  await consoleTicketsRemoveOf(context.queries, service.id);
}

/** Views through other nodes end when they are next looked at; those through this one at once. */
async function endSessions({ yard, queries }: Context, service: Service): Promise<void> {
  await screenSessionsRemoveOf(queries, service.id);
  yard.screens.endViews(service.id, 'The console was reset.');
}

/** Whose password answers the challenge. All of them are tried, so that time tells nothing of which it was. */
export async function screenSessionOf(
  yard: Yard,
  challenge: Buffer,
  response: Buffer,
): Promise<ScreenSession | undefined> {
  let found: ScreenSession | undefined;
  for (const session of await screenSessionsOpen(yard.store.queries, yard.clock.now())) {
    const password = yard.secrets.open(session.password, sealContext(session.id));
    if (isResponseTo(challenge, response, password)) found = session;
  }
  return found !== undefined && (await screenStillAllowed(yard, found)) ? found : undefined;
}

/** A reset of the console ends it, and so does its hour, or a key that lost its rights. */
export async function screenStillAllowed(yard: Yard, session: ScreenSession): Promise<boolean> {
  const row = await screenSessionFind(yard.store.queries, session.id);
  if (row === undefined || row.expires_at <= yard.clock.now()) return false;
  return viewerMayLook(yard, session);
}

/** Where customers reach the proxy: as the site file says, or else where this process listens. */
async function doorOf(yard: Yard): Promise<{ host: string; port: number }> {
  const site = JSON.parse((await metaFind(yard.store.queries, screensMeta)) ?? '{}') as SiteScreens;
  const own = yard.screens.address;
  const host = site.host ?? own?.host;
  const port = site.port ?? own?.port;
  if (host === undefined || port === undefined) {
    throw new Fault('capability_missing', {
      message: 'There is no VNC here: get a ticket for the console in a browser with POST /v2/device/console.',
    });
  }
  return { host, port };
}

function sealContext(id: string): string {
  return `screen ${id}`;
}

// VNC sessions of virtual machines. Each has its own password, by which the proxy recognizes the machine. VNC checks only eight
// characters, so a password is valid for one machine and one hour, and the proxy limits guessing. Customers never see the
// hypervisor's address.
import { Type } from 'typebox';
import { requireCapability } from '#drivers/hypervisor/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import { randomBase32, randomPassword } from '#lib/random.ts';
import { consoleTicketsRemoveOf } from '#store/devices/console-tickets.ts';
import { machineName } from '#store/devices/machines.ts';
import { metaEntry } from '#store/meta.ts';
import {
  vncSessionFind,
  vncSessionInsert,
  vncSessionsOpen,
  vncSessionsRemoveOf,
  type VncSession,
} from '#store/devices/vnc-sessions.ts';
import type { Service } from '#store/devices/services.ts';
import { isValidResponse } from '#protocols/rfb/password.ts';
import type { SiteScreens } from '#contract/site/machines.ts';
import { canViewConsole } from '../services/services.ts';
import { machineOf } from './machines.ts';
import type { Context, App } from '../app.ts';

export type { VncSession };
export const screensEntry = metaEntry(
  'screens',
  Type.Unsafe<SiteScreens>(Type.Object({ host: Type.Optional(Type.String()), port: Type.Optional(Type.Integer()) })),
);
const sessionMs = 3_600_000;
const significantCharacters = 8;
const idBits = 100;

/** Opens a session and ends the previous one. */
export async function openVncSession(context: Context, service: Service) {
  const { app, queries, caller } = context;
  const { node, vmid } = await machineOf(context, service);
  await app.hypervisors.use(node, async (hypervisor) => void requireCapability(hypervisor, 'vnc'));
  const { host, port } = await proxyAddress(app);
  const password = randomPassword(significantCharacters);
  const id = randomBase32(idBits);
  await endSessions(context, service);
  await vncSessionInsert(queries, {
    id,
    account_id: caller.account,
    service_id: service.id,
    key_id: caller.key,
    address: caller.address,
    password: app.secrets.seal(password, sealContext(id)),
    expires_at: app.clock.now() + sessionMs,
  });
  return { user: machineName(vmid), pass: password, host, port: String(port) };
}

export async function resetVncSessions(context: Context, service: Service): Promise<void> {
  await machineOf(context, service);
  await endSessions(context, service);
  await consoleTicketsRemoveOf(context.queries, service.id);
}

/** Views through other instances end at their next check, those through this one now. */
async function endSessions({ app, queries }: Context, service: Service): Promise<void> {
  await vncSessionsRemoveOf(queries, service.id);
  app.vncListeners.endViews(service.id, 'The console was reset.');
}

/** Finds the session whose password matches the challenge. Tries all of them, so that timing reveals nothing. */
export async function findVncSession(app: App, challenge: Buffer, response: Buffer): Promise<VncSession | undefined> {
  let match: VncSession | undefined;
  for (const session of await vncSessionsOpen(app.store.queries, app.clock.now())) {
    const password = app.secrets.open(session.password, sealContext(session.id));
    if (isValidResponse(challenge, response, password)) match = session;
  }
  return match !== undefined && (await isVncSessionValid(app, match)) ? match : undefined;
}

/** A session ends with a console reset, after an hour, or when its key loses the permission. */
export async function isVncSessionValid(app: App, session: VncSession): Promise<boolean> {
  const row = await vncSessionFind(app.store.queries, session.id);
  if (row === undefined || row.expires_at <= app.clock.now()) return false;
  return canViewConsole(app, session);
}

/** Returns where customers reach the proxy: the address in the site file, or else where this process listens. */
async function proxyAddress(app: App): Promise<{ host: string; port: number }> {
  const site = (await screensEntry.find(app.store.queries)) ?? {};
  const listener = app.vncListeners.address;
  const host = site.host ?? listener?.host;
  const port = site.port ?? listener?.port;
  if (host === undefined || port === undefined) {
    throw new ApiError('capability_missing', {
      message: 'VNC is not available here. Request a browser console with POST /v2/device/console.',
    });
  }
  return { host, port };
}

function sealContext(id: string): string {
  return `screen ${id}`;
}

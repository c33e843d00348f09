// Decides who gets a boot order. Firmware has no secret before it asks, and everyone in its network can claim its MAC address, so
// an order goes to one source address, once. Anyone else gets nothing and raises an alarm. See docs/decisions/boot-orders.md.
import type { SystemKind } from '#contract/site/systems.ts';
import { networkContains, parseAddress, parseNetwork } from '#lib/addresses.ts';
import {
  networkBootLoad,
  reloadBind,
  reloadContest,
  reloadLogAppend,
  reloadMove,
  reloadOfSecret,
  reloadSystem,
  reloadVoid,
  type NetworkBoot,
} from '#store/devices/reloads.ts';
import { serverFind } from '#store/devices/servers.ts';
import { serviceFind } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { installServer } from './install-input.ts';
import { bootSecretHash } from './network-boots.ts';
import { bootSettings } from '../site/systems.ts';
import type { App } from '../app.ts';

export interface Asker {
  /** Registered for the server of the order. */
  readonly mac: string;
  /** In lower case; empty if it sent none. */
  readonly uuid: string;
  /** Of its socket, in canonical form. */
  readonly address: string;
}
export interface BootLink {
  readonly secret: string;
  /** The address that uses it. */
  readonly address: string;
}

/** Binds the order to the first asker that can be its server. Returns undefined for anyone else. */
export async function claimOrder(
  app: App,
  { id, server }: NetworkBoot,
  asker: Asker,
): Promise<NetworkBoot | undefined> {
  const { mac, address } = asker;
  const mismatch = await findMismatch(app.store.queries, server, asker);
  if (mismatch !== undefined) {
    await raiseAlarm(app, app.store.queries, { id, server }, address, mismatch);
    return undefined;
  }
  return app.store.transaction(async (queries) => {
    const at = app.clock.now();
    if (await reloadBind(queries, id, { mac, bound_to: address, requested_at: at })) {
      await reloadMove(queries, id, 'Booting');
      const text = 'The server requested its boot script.';
      await reloadLogAppend(queries, { reload_id: id, at, status: 'Booting', text });
    }
    const order = (await networkBootLoad(queries, id))!;
    const isBound = order.bound_to === address;
    if (isBound && order.links_used === 0) return order;
    // A server that restarts after its installation boots its disk.
    if (order.open === 0 || (isBound && order.outcome !== null)) return undefined;
    const problem = isBound
      ? 'The boot script was requested again after it had been used.'
      : 'Two machines requested the boot script of this server.';
    await raiseAlarm(app, queries, order, address, problem);
    await reloadVoid(queries, id, problem);
    return undefined;
  });
}

/** Finds the order of a link that its server uses. Returns undefined for anyone else. */
export async function orderOfLink(
  app: App,
  queries: Queries,
  { secret, address }: BootLink,
): Promise<NetworkBoot | undefined> {
  const order = await reloadOfSecret(queries, bootSecretHash(secret));
  if (order === undefined || order.bound_to === address || (await isInstallerOf(queries, order, address))) return order;
  await raiseAlarm(app, queries, order, address, 'Another machine used the secret of a link.');
  return undefined;
}

/** Returns why the asker is not the server, or undefined if it may be. */
async function findMismatch(queries: Queries, server: string, { uuid, address }: Asker): Promise<string | undefined> {
  const row = await serverFind(queries, server);
  if (row?.uuid != null && row.uuid !== uuid) return 'The UUID is not that of the server.';
  if (row?.boot_address != null)
    return row.boot_address === address ? undefined : 'The address is not that of the server.';
  const networks = (await bootSettings(queries))?.networks;
  const source = parseAddress(address);
  const isInside = source !== undefined && networks?.some((network) => networkContains(parseNetwork(network)!, source));
  return networks === undefined || isInside === true ? undefined : 'The address is not in a boot network.';
}

const installerKinds: ReadonlySet<SystemKind> = new Set(['preseed', 'kickstart', 'autoinstall']);

/** Distributions' installers use the address of the new system; everything else keeps the one that it booted with. */
async function isInstallerOf(queries: Queries, order: NetworkBoot, address: string): Promise<boolean> {
  const { source } = reloadSystem.decode(order.system);
  if (order.kind !== 'reload' || source === undefined || !installerKinds.has(source.kind)) return false;
  const service = await serviceFind(queries, order.account_id, order.service_id);
  if (service === undefined) return false;
  const { addresses } = await installServer(queries, service, order.server);
  return addresses.some((candidate) => candidate.split('/')[0] === address);
}

/** Logs only the first time, so that a client cannot fill the log. */
async function raiseAlarm(
  app: App,
  queries: Queries,
  { id, server }: Pick<NetworkBoot, 'id' | 'server'>,
  address: string,
  reason: string,
): Promise<void> {
  if (await reloadContest(queries, id, app.clock.now()))
    app.log.warn({ server, boot: id, address, reason }, 'the boot order of a server is contested');
}

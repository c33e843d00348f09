// Decides which addresses belong to the provider, so that customers cannot make us call them: equipment, management
// networks, and netblocks that are not assigned to the customer's own account.
import { networkInterfaces } from 'node:os';
import { Type } from 'typebox';
import { sortableAddress } from '#lib/address-ranges.ts';
import { networkContains, parseNetwork, type Address, type Network } from '#lib/addresses.ts';
import { openResolver, resolveHost } from '#lib/egress.ts';
import { jsonColumn } from '#store/json-column.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import { netblocksAround } from '#store/network/netblocks.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';
import { loadStoredEquipment } from '../site/export.ts';
import { providerHosts, type ProviderHosts } from '../site/provider-hosts.ts';

const metaName = 'provider hosts';
const texts = Type.Array(Type.String());
const column = jsonColumn(`meta entry "${metaName}"`, Type.Object({ equipment: texts, bootNetworks: texts }));
/** How long the addresses of host names are used before they are looked up again. */
const refreshMs = 60_000;

/** Stores the hosts of the whole site, including what the last file did not mention. */
export async function storeProviderHosts(app: Pick<App, 'secrets'>, queries: Queries): Promise<void> {
  await metaPut(queries, metaName, column.encode(providerHosts(await loadStoredEquipment(app, queries))));
}

interface ProviderNetworks {
  readonly source: string | undefined;
  readonly loadedAt: number;
  /** In sortable form. */
  readonly equipment: ReadonlySet<string>;
  readonly equipmentNetworks: readonly Network[];
  readonly bootNetworks: readonly Network[];
}

/** `processHosts` are those that the process's own settings name, such as the database. */
export function openProviderAddresses(
  app: Pick<App, 'store' | 'secrets' | 'log'>,
  processHosts: readonly string[],
): (address: Address, account: number) => Promise<boolean> {
  const { queries } = app.store;
  const resolver = openResolver();
  const resolved = new Map<string, readonly Network[]>();
  let loaded: ProviderNetworks | undefined;

  /** Returns the previous addresses of a name that does not resolve now. */
  async function networksOf(host: string): Promise<readonly Network[]> {
    const literal = parseNetwork(host);
    if (literal !== undefined) return [literal];
    try {
      const addresses = await resolveHost(resolver, host);
      resolved.set(
        host,
        addresses.map((base) => ({ base, prefixLength: bitsOf(base) })),
      );
    } catch (error) {
      if (!resolved.has(host))
        app.log.warn(
          { err: error, host },
          'a host of the site does not resolve, so webhooks to its address are possible',
        );
      resolved.set(host, resolved.get(host) ?? []);
    }
    return resolved.get(host)!;
  }

  async function load(source: string | undefined): Promise<ProviderNetworks> {
    const hosts: ProviderHosts =
      source === undefined ? providerHosts(await loadStoredEquipment(app, queries)) : column.decode(source);
    const networks = (await Promise.all([...hosts.equipment, ...processHosts].map(networksOf))).flat();
    const isSingle = ({ base, prefixLength }: Network) => prefixLength === bitsOf(base);
    return {
      source,
      loadedAt: performance.now(),
      equipment: new Set(networks.filter(isSingle).map(({ base }) => sortableAddress(base))),
      equipmentNetworks: networks.filter((network) => !isSingle(network)),
      bootNetworks: hosts.bootNetworks.map(parseNetwork).filter((network) => network !== undefined),
    };
  }

  return async (address, account) => {
    const source = await metaFind(queries, metaName);
    if (loaded === undefined || loaded.source !== source || performance.now() - loaded.loadedAt > refreshMs)
      loaded = await load(source);
    const { equipment, equipmentNetworks, bootNetworks } = loaded;
    const isIn = (networks: readonly Network[]): boolean =>
      networks.some((network) => networkContains(network, address));
    const sortable = sortableAddress(address);
    if (equipment.has(sortable) || isIn(equipmentNetworks) || isOwnInterface(address)) return true;
    const blocks = await netblocksAround(queries, sortable);
    if (blocks.some(({ gateway }) => gateway === address.toString())) return true;
    // The smallest block decides, because those around it are the provider's.
    if (blocks[0]?.account_id === account) return false;
    return blocks.length > 0 || isIn(bootNetworks);
  };
}

function bitsOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}

function isOwnInterface(address: Address): boolean {
  const text = address.toString();
  return Object.values(networkInterfaces()).some((entries) => entries?.some((entry) => entry.address === text));
}

// Networks of its own to which the operator lets events be sent. They stand in the database, so that every node knows them.
import { parseNetwork, type Network } from '#kernel/addresses.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';

const name = 'webhook networks';

export async function webhookNetworksPut(queries: Queries, networks: readonly string[]): Promise<void> {
  await metaPut(queries, name, JSON.stringify(networks));
}

export async function webhookNetworks(queries: Queries): Promise<Network[]> {
  const texts = JSON.parse((await metaFind(queries, name)) ?? '[]') as string[];
  return texts.map(parseNetwork).filter((network) => network !== undefined);
}

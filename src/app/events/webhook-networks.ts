// The operator's own networks that webhooks may be sent to. Stored in the database, so that all instances allow the
// same.
import { Type } from 'typebox';
import { parseNetwork, type Network } from '#lib/addresses.ts';
import { metaEntry } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';

const entry = metaEntry('webhook networks', Type.Array(Type.String()));

export function storeWebhookNetworks(queries: Queries, networks: readonly string[]): Promise<void> {
  return entry.put(queries, networks);
}

export async function webhookNetworks(queries: Queries): Promise<Network[]> {
  const texts = (await entry.find(queries)) ?? [];
  return texts.map(parseNetwork).filter((network) => network !== undefined);
}

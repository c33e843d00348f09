// The blocks of a service as its customer sees them: how they reach the device, whether they do yet, and what to configure.
import ipaddr from 'ipaddr.js';
import type { Static } from 'typebox';
import type { NetblockDelivery } from '#contract/shapes/network.ts';
import { prefixLengthOf } from '#lib/address-ranges.ts';
import { machineFind } from '#store/devices/machines.ts';
import type { Service } from '#store/devices/services.ts';
import { deviceAddress, routesSentOf } from '#store/network/routes.ts';
import type { Context } from '../app.ts';
import { configurationLines } from './configuration.ts';
import { deliveredBlocks } from './delivery.ts';

export async function deliveryList(
  { queries }: Context,
  service: Service,
  card = 'eth0',
): Promise<Static<typeof NetblockDelivery>[]> {
  const blocks = await deliveredBlocks(queries, service);
  const sent = await routesSentOf(
    queries,
    blocks.map(({ cidr }) => cidr),
  );
  const nextHops = {
    ipv4: await deviceAddress(queries, service, '4'),
    ipv6: await deviceAddress(queries, service, '6'),
  };
  const machine = await machineFind(queries, service.id);
  const filtered = machine === undefined ? undefined : new Set(machine.networks?.split(','));
  return blocks.map((block) => {
    const { cidr, delivery, addresses, gateway = '' } = block;
    const nexthop = (delivery === 'routed' && nextHops[cidr.includes(':') ? 'ipv6' : 'ipv4']) || '';
    const isRouted = delivery === 'on-link' || (nexthop !== '' && sent.get(cidr) === nexthop);
    const isActive = isRouted && (filtered === undefined || filtered.has(cidr));
    const [first] = addresses;
    const prefix = first?.prefixLength ?? prefixLengthOf(block);
    return {
      netblock: cidr,
      delivery,
      status: isActive ? 'Active' : 'Pending',
      address: first?.address ?? '',
      prefix: String(prefix),
      netmask: cidr.includes(':') ? '' : ipaddr.IPv4.subnetMaskFromPrefixLength(prefix).toString(),
      gateway,
      nexthop,
      configuration: configurationLines(block, card),
    };
  });
}

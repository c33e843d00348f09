// The network settings that virtual machines read when they boot, as their services have addresses now.
import { sha256Hex } from '#lib/secrets.ts';
import { hypervisorNameServers } from '#store/devices/hypervisors.ts';
import { machineName, machinesAfter } from '#store/devices/machines.ts';
import { netblocksOfServices, providerNetblocks } from '#store/network/netblocks.ts';
import type { Queries } from '#store/store.ts';
import { addressesOfServices } from '../network/delivery.ts';

const machinesPerPage = 500;

/** Returns the settings of the machines that follow this service, in the order of services; none after the last. */
export async function settingsAfter(queries: Queries, service: number) {
  const machines = await machinesAfter(queries, service, machinesPerPage);
  const services = machines.map(({ service_id }) => service_id);
  const netblocks = await netblocksOfServices(queries, services);
  const configured = await addressesOfServices(machines, netblocks, await providerNetblocks(queries));
  return configured.map(({ service_id, vmid, ip, node, addresses, name_servers, addresses_digest }) => {
    const settings = { addresses, nameServers: hypervisorNameServers.decode(name_servers) };
    const digest = sha256Hex(JSON.stringify(settings));
    // A machine that has its main address from elsewhere, such as DHCP, would lose it.
    const isComplete = addresses.some(({ address }) => address === ip);
    const isApplied = !isComplete || digest === addresses_digest;
    return { service: service_id, name: machineName(vmid), node, settings, digest, isApplied };
  });
}

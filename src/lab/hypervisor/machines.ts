// The machines of a new lab hypervisor, which belong to the lab's services.
import type { LabHypervisorState } from './hypervisor.ts';

export const labHypervisorName = 'dc01hv01';
export const labNameServer = '203.0.113.1';

/** By the id of the services' machines. */
export const labMachines = [
  {
    vmid: 101,
    shape: { vcpus: 1, memoryMb: 1024, diskGb: 20 },
    template: 'debian-12',
    hostname: 'vps1.example.net',
    addresses: [
      { address: '203.0.113.130', prefixLength: 24, gateway: '203.0.113.1' },
      { address: '2001:db8:1::130', prefixLength: 64, gateway: '2001:db8:1::1' },
    ],
  },
  {
    vmid: 201,
    shape: { vcpus: 2, memoryMb: 2048, diskGb: 40 },
    template: 'debian-12',
    hostname: 'cloud1.example.net',
    addresses: [{ address: '203.0.113.140', prefixLength: 24, gateway: '203.0.113.1' }],
  },
] as const;

export function initialLabMachines(password: () => string): LabHypervisorState {
  return Object.fromEntries(
    labMachines.map(({ vmid, shape, template, hostname, addresses }) => {
      const mac = `52:54:00:00:00:${vmid.toString(16).padStart(2, '0')}`;
      const system = {
        template,
        hostname,
        rootPassword: password(),
        addresses,
        nameServers: [labNameServer],
        isWhole: true,
      };
      const systems = { delivered: system };
      const name = `vm-${vmid}`;
      return [name, { shape: { ...shape, mac }, power: 'on', systems, current: 'delivered', tun: 'disabled' }];
    }),
  );
}

// A provider with one customer who has virtual machines on the given hypervisors.
import type { Site } from '#contract/site/site.ts';
import type { SiteMachine, SiteNode, SiteTemplate } from '#contract/site/machines.ts';
import { labTemplates } from '#lab/hypervisor/templates.ts';
import { adaWithKey } from './customer-fixture.ts';

export const labCatalogue: SiteTemplate[] = labTemplates.map(({ name, kind, source }) => ({
  name,
  value: source,
  type: kind,
  source,
}));
export const smallMachine: SiteMachine = {
  vcpus: 1,
  memoryMb: 512,
  diskGb: 10,
  bandwidthGb: 1000,
  template: 'debian-12',
};

export interface MachineSite {
  readonly site: Site;
  readonly key: string;
}

/** One service per machine: 2001 with vmid 101, 2002 with vmid 102, and so on. */
export function machineSite(nodes: SiteNode[], machines: SiteMachine[], templates = labCatalogue): MachineSite {
  const { customer, key } = adaWithKey();
  const site: Site = {
    provider: { name: 'Nodes', currency: { code: 'EUR' } },
    servers: [],
    switches: [],
    nodes,
    templates,
    netblocks: [{ cidr: '10.64.0.0/16' }],
    customers: [customer],
    services: machines.map((machine, index) => ({
      id: 2001 + index,
      customer: 1,
      type: 'vps',
      name: 'VPS',
      hostname: `vps${index + 1}.example.net`,
      ip: `10.64.${index >> 8}.${index & 255}`,
      vmid: 101 + index,
      machine,
    })),
  };
  return { site, key };
}

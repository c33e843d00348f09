// Known behaviour of makers' services, so that the first attempt succeeds. With any other service, the driver finds out by
// trying.

export interface KnownBehaviour {
  /** A change of the next boot has to contain the firmware mode, or must not. */
  readonly bootMode?: 'required' | 'rejected';
  /** InsertMedia needs the optional parameters too. */
  readonly mediaNeedsTransfer?: true;
}

interface KnownService {
  /** `Vendor` of the service root, or a name in its `Oem`. */
  readonly vendors: readonly string[];
  readonly behaviour: KnownBehaviour;
  readonly source: string;
}

export const knownServices: readonly KnownService[] = [
  {
    vendors: ['HPE', 'Hpe', 'Hp'],
    behaviour: { bootMode: 'rejected' },
    source: 'iLO 5 API reference, ComputerSystem: BootSourceOverrideMode is read-only',
  },
  {
    vendors: ['Supermicro'],
    behaviour: { bootMode: 'required', mediaNeedsTransfer: true },
    source: 'OpenStack sushy, set_system_boot_options: Supermicro needs the mode in every request',
  },
  {
    vendors: ['AMI', 'Ami'],
    behaviour: { mediaNeedsTransfer: true },
    source: 'AMI MegaRAC Redfish user guide, VirtualMedia.InsertMedia',
  },
];

export function findBehaviour(vendors: readonly string[]): KnownBehaviour {
  return knownServices.find((service) => service.vendors.some((name) => vendors.includes(name)))?.behaviour ?? {};
}

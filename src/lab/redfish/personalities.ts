// How the Redfish services of common makers differ from the schema and from each other, in ways that a client notices. Each
// is a description of what the maker's documentation or published code says, not a copy of a controller.

/** `thermal`: in Thermal and Power. `subsystems`: in the resources that replace them, with temperatures as sensors. */
export type SensorPlace = 'thermal' | 'subsystems' | 'sensors';

export interface LogPlace {
  readonly under: 'system' | 'manager';
  readonly id: string;
  readonly isNewestFirst?: true;
  /** Its list has only links to the entries. */
  readonly hasLinksOnly?: true;
}

export interface Personality {
  /** As in the service root. */
  readonly vendor: string;
  /** What happens to a change of the next boot with `BootSourceOverrideMode`, or without it. */
  readonly bootMode?: 'rejected' | 'required';
  /** The next boot is changed at the settings object of the system; the system itself cannot be changed. */
  readonly hasSettingsObject?: true;
  /** Accounts are slots with fixed numbers, of which the first ones are reserved although their names are empty. */
  readonly reservedSlots?: number;
  /** Accounts have no `Enabled`, and one with it is rejected. */
  readonly accountsLackEnabled?: true;
  /** There is no session service, only HTTP Basic. */
  readonly lacksSessions?: true;
  /** ETags are weak, but changes are compared with strong ones, or accepted only without. */
  readonly etags?: 'compared-as-strong' | 'rejected';
  /** InsertMedia is rejected without `TransferProtocolType` and `TransferMethod`. */
  readonly mediaNeedsTransfer?: true;
  /** The only allowed boot target for an inserted image. */
  readonly discTarget?: 'UsbCd';
  /** The media types of its CD drive. */
  readonly discTypes?: readonly string[];
  /** How long it reports the previous power state. */
  readonly powerShowsAfterMs?: number;
  /** One of its links leads nowhere; disks are in SimpleStorage or in HPE's SmartStorage. */
  readonly inventory?: 'broken-link' | 'simple-storage' | 'smart-storage';
  /** In Thermal and Power by default. */
  readonly sensors?: SensorPlace;
  /** Returns collections with their members to clients that ask for it. */
  readonly expands?: true;
  /** Its event log; by default SEL of the system. */
  readonly log?: LogPlace;
}

export const personalities = {
  /** HPE iLO 5 API reference: boot, ManagerAccount, SmartStorage. */
  ilo: {
    vendor: 'HPE',
    bootMode: 'rejected',
    accountsLackEnabled: true,
    etags: 'compared-as-strong',
    inventory: 'smart-storage',
    log: { under: 'system', id: 'IML', hasLinksOnly: true },
  },
  /** Dell iDRAC9 Redfish API guide: user slots, settings objects, sensors, the log with the newest entry first. */
  idrac: {
    vendor: 'Dell',
    reservedSlots: 1,
    hasSettingsObject: true,
    powerShowsAfterMs: 300,
    sensors: 'subsystems',
    log: { under: 'manager', id: 'Sel', isNewestFirst: true },
  },
  /** Supermicro Redfish user's guide; sushy's boot mode workaround. */
  supermicro: {
    vendor: 'Supermicro',
    bootMode: 'required',
    mediaNeedsTransfer: true,
    discTarget: 'UsbCd',
    log: { under: 'system', id: 'Log1' },
  },
  /** Lenovo XCC REST API guide: pending settings, ETags. */
  lenovo: { vendor: 'Lenovo', hasSettingsObject: true, etags: 'rejected', inventory: 'broken-link' },
  /** bmcweb, the service of OpenBMC, without the deprecated Thermal and Power. */
  openbmc: {
    vendor: 'OpenBMC',
    discTypes: ['CD/DVD'],
    inventory: 'simple-storage',
    sensors: 'subsystems',
    expands: true,
    log: { under: 'system', id: 'EventLog' },
  },
  /** AMI MegaRAC of an age before sessions. */
  ami: {
    vendor: 'AMI',
    lacksSessions: true,
    mediaNeedsTransfer: true,
    sensors: 'sensors',
    log: { under: 'manager', id: 'SEL' },
  },
} as const satisfies Record<string, Personality>;

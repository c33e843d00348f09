// For every operation of the legacy interface what does the same in version 2. A table that does not compile where a legacy
// operation has no line or where the named one does not exist; docs/moving-from-legacy.md and the Link headers are made from it.
import type { legacy, v2 } from './contract.ts';

export interface Twin {
  /** Several where the legacy call does one thing or another, as a parameter says. None: it has no twin and stays. */
  readonly operations: readonly (keyof typeof v2)[];
  /** What is different there. */
  readonly note: string;
}

export const twins: Readonly<Record<keyof typeof legacy, Twin>> = {
  ipmiConsoleOpen: {
    operations: ['deviceConsoleOpen', 'deviceConsoleTicket'],
    note: 'A ticket opens it in a browser, without Java.',
  },
  ipmiBandwidthGet: {
    operations: ['bandwidthGet', 'monthGet'],
    note: '`start` and `end` are Unix timestamps; `result` carries an envelope of its own.',
  },
  ipmiUserSet: {
    operations: [],
    note: 'Users of the controller are made by the console calls of version 2 for each session.',
  },
  ipmiPowerSet: {
    operations: ['devicePowerGet', 'devicePowerSet', 'deviceBootSet'],
    note: '`checkOn`, `checkOff`: `devicePowerGet`. `reboot` is `cycle`, `reset` is `reboot`, `rebootPXE` … are `deviceBootSet`. There is no soft shutdown.',
  },
  ipmiControllerReset: {
    operations: [],
    note: 'Ending a console session is `deviceConsoleReset`; restarting the controller itself stays here.',
  },
  ipmiImageSet: {
    operations: ['deviceImageUpload', 'deviceImageMount', 'deviceImageUnmount'],
    note: 'One call for each `action`; the states are told by events.',
  },
  ipmiInstallSet: {
    operations: ['deviceReloadStart', 'deviceReloadStatus', 'deviceReloadCancel', 'devicePasswordCollect'],
    note: '`value` is one of `deviceTemplateList`, not a network-boot id; the root password is in the answer.',
  },
  contactGet: { operations: ['contactGet'], note: '`id` is in the query.' },
  contactCreate: {
    operations: ['contactCreate'],
    note: '`county` is `country`; names are of letters only, `phone` is optional.',
  },
  contactUpdate: { operations: ['contactUpdate'], note: '`phone` is optional; the answer is a text.' },
  contactDelete: { operations: ['contactDelete'], note: 'The answer is a text.' },
  vpsList: { operations: ['deviceList'], note: 'With `type`; memory and disk are in `deviceStatsGet`.' },
  vpsGet: {
    operations: ['deviceList', 'deviceStatsGet', 'deviceHardwareGet'],
    note: 'By `service` in the place of `vmid`.',
  },
  vpsImageList: { operations: ['deviceImageList'], note: 'With `service`, those that fit it.' },
  vpsImageMount: {
    operations: ['deviceImageUpload', 'deviceImageMount'],
    note: 'Two calls; `deviceImageUnmount` takes it out.',
  },
  vpsTemplateList: { operations: ['deviceTemplateList'], note: 'By service, not by type.' },
  vpsReinstall: { operations: ['deviceReloadStart'], note: 'The answer is the new root password there too.' },
  vpsPowerSet: {
    operations: ['devicePowerSet'],
    note: '`reboot` is `cycle`; the answers are those of dedicated servers.',
  },
  vpsHostnameSet: { operations: ['deviceHostnameSet'], note: 'The answer is empty.' },
  vpsPasswordReset: { operations: ['devicePasswordReset'], note: '' },
  vpsTunSet: { operations: [], note: 'Stays here.' },
  vpsNetworkGet: { operations: ['netblockList'], note: 'Of one service, with reverse names.' },
  vpsReverseSet: { operations: ['reverseSet', 'reverseSetMany', 'reverseDelete'], note: '' },
  netblockList: { operations: ['netblockList'], note: 'By `service`, both families.' },
  portSet: { operations: ['portGet', 'portEnable', 'portDisable'], note: 'One call for each `action`, by `service`.' },
  netblockRequest: { operations: [], note: 'Stays here.' },
  nullrouteSet: { operations: [], note: 'Stays here; what attacks brought about is in `eventList`.' },
  softwareList: { operations: ['deviceLicenceList', 'deviceLicenceOfferList'], note: 'With keys, and with prices.' },
  softwareOrder: { operations: [], note: 'Stays here.' },
  softwareCancel: { operations: [], note: 'Stays here.' },
  zoneList: { operations: ['zoneList'], note: 'In pages where `limit` is given.' },
  zoneCreate: { operations: ['zoneCreate'], note: '`name` is `domain`.' },
  recordList: { operations: ['recordList'], note: '`domain_id` is `domain`.' },
  recordCreate: {
    operations: ['recordCreate'],
    note: '`name` is `record`, always a full name; the answer is a text, all types are taken.',
  },
  balanceGet: { operations: ['balanceGet'], note: '' },
  invoiceList: { operations: ['invoiceGet'], note: '`status` is in the query.' },
  invoiceGet: { operations: ['invoiceGet', 'invoicePdf'], note: '`invoice` is in the query.' },
};

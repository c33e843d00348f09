// The equivalent in version 2 of every legacy operation. The table does not compile if a legacy operation has no row or
// if a named operation does not exist. docs/reference/moving-from-legacy.md and the Link headers are generated from it.
import type { legacy, v2 } from './contract.ts';

export interface LegacyEquivalent {
  /** Several if the legacy call does different things depending on a parameter; none if it has no equivalent. */
  readonly operations: readonly (keyof typeof v2)[];
  /** Differences in version 2. */
  readonly note: string;
}

export const legacyEquivalents: Readonly<Record<keyof typeof legacy, LegacyEquivalent>> = {
  ipmiConsoleOpen: {
    operations: ['deviceConsoleOpen', 'deviceConsoleTicket', 'deviceConsoleWeb'],
    note: 'A ticket opens the serial console in a browser; a link opens the screen. Neither needs Java.',
  },
  ipmiBandwidthGet: {
    operations: ['bandwidthGet', 'monthGet'],
    note: '`start` and `end` are Unix timestamps; `result` contains its own envelope.',
  },
  ipmiUserSet: {
    operations: [],
    note: 'In version 2, the console calls create an IPMI user for each session.',
  },
  ipmiPowerSet: {
    operations: ['devicePowerGet', 'devicePowerSet', 'deviceShutdown', 'deviceBootSet'],
    note: '`checkOn`, `checkOff`: `devicePowerGet`. `reboot` is `cycle`, `reset` is `reboot`, `offSoft` is `deviceShutdown`, `rebootPXE` … are `deviceBootSet`.',
  },
  ipmiControllerReset: {
    operations: [],
    note: 'Ending a console session is `deviceConsoleReset`; restarting the IPMI controller itself is available only here.',
  },
  ipmiImageSet: {
    operations: ['deviceImageUpload', 'deviceImageMount', 'deviceImageUnmount', 'deviceImageStatus'],
    note: 'One call per `action`; events report the states.',
  },
  ipmiInstallSet: {
    operations: ['deviceReloadStart', 'deviceReloadStatus', 'deviceReloadCancel', 'devicePasswordCollect'],
    note: '`value` is one of `deviceTemplateList`, not a network-boot id; the response contains the root password.',
  },
  contactGet: { operations: ['contactGet'], note: '`id` is in the query.' },
  contactCreate: {
    operations: ['contactCreate'],
    note: '`county` is `country`; names contain only letters, `phone` is optional.',
  },
  contactUpdate: { operations: ['contactUpdate'], note: '`phone` is optional; the result is a string.' },
  contactDelete: { operations: ['contactDelete'], note: 'The result is a string.' },
  vpsList: { operations: ['deviceList'], note: 'With `type`; memory and disk are in `deviceStatsGet`.' },
  vpsGet: {
    operations: ['deviceList', 'deviceStatsGet', 'deviceHardwareGet'],
    note: 'By `service` instead of `vmid`.',
  },
  vpsImageList: { operations: ['deviceImageList'], note: 'With `service`, those available to it.' },
  vpsImageMount: {
    operations: ['deviceImageUpload', 'deviceImageMount'],
    note: 'Two calls; `deviceImageUnmount` ejects it.',
  },
  vpsTemplateList: { operations: ['deviceTemplateList'], note: 'Listed by service, not by type.' },
  vpsReinstall: { operations: ['deviceReloadStart'], note: 'The result is also the new root password.' },
  vpsPowerSet: {
    operations: ['devicePowerSet'],
    note: '`reboot` is `cycle`; the results are those of dedicated servers.',
  },
  vpsHostnameSet: { operations: ['deviceHostnameSet'], note: 'The result is empty.' },
  vpsPasswordReset: { operations: ['devicePasswordReset'], note: '' },
  vpsTunSet: {
    operations: ['deviceTunGet', 'deviceTunSet'],
    note: 'By `service`; the result has `state` and `effect` instead of a text.',
  },
  vpsNetworkGet: { operations: ['netblockList'], note: 'For one service; includes reverse DNS.' },
  vpsReverseSet: { operations: ['reverseSet', 'reverseSetMany', 'reverseDelete'], note: '' },
  netblockList: { operations: ['netblockList'], note: 'By `service`, for both address families.' },
  portSet: { operations: ['portGet', 'portEnable', 'portDisable'], note: 'One call per `action`, by `service`.' },
  netblockRequest: {
    operations: ['netblockRequest'],
    note: 'By `service`; also accepts a single address, and virtual machines.',
  },
  nullrouteSet: { operations: [], note: 'Legacy only; the effects of attacks are in `eventList`.' },
  softwareList: { operations: ['deviceLicenceList', 'deviceLicenceOfferList'], note: 'With keys and prices.' },
  softwareOrder: { operations: [], note: 'Legacy only.' },
  softwareCancel: { operations: [], note: 'Legacy only.' },
  zoneList: { operations: ['zoneList'], note: 'Paginated if `limit` is given.' },
  zoneCreate: { operations: ['zoneCreate'], note: '`name` is `domain`.' },
  recordList: { operations: ['recordList'], note: '`domain_id` is `domain`.' },
  recordCreate: {
    operations: ['recordCreate'],
    note: '`name` is `record` and always a full name; the result is a string, and all record types are accepted.',
  },
  balanceGet: { operations: ['balanceGet'], note: '' },
  invoiceList: { operations: ['invoiceGet'], note: '`status` is in the query.' },
  invoiceGet: { operations: ['invoiceGet', 'invoicePdf'], note: '`invoice` is in the query.' },
};

// Rules for the tables of devices, networks and zones.
import {
  byId,
  equipment,
  nothing,
  numbersOnly,
  remove,
  settings,
  shortLived,
  unrelated,
  type TableRules,
} from './rule.ts';

const traffic = {
  archive: { omittedBecause: 'traffic.json has the totals' },
  erasure: nothing('figures of a port, without a person; they are deleted after 401 days'),
} as const;
const inZoneFiles = {
  archive: { omittedBecause: 'the zone files have it' },
  erasure: nothing('it goes with the zone'),
} as const;
/** On which hypervisor a machine is. Whoever knows that of two accounts can place one next to another. */
const placement = ['node', 'member', 'wanted_node', 'hypervisor_name'] as const;

export const deviceRules = {
  racks: equipment,
  rack_mounts: equipment,
  servers: equipment,
  pdus: equipment,
  server_macs: equipment,
  reloads: {
    archive: {
      file: 'installations.json',
      contents: 'Installations of servers, without passwords',
      key: byId,
      hidden: ['secret_hash', 'password_hash', 'new_password'],
    },
    erasure: remove,
  },
  reload_log: {
    archive: { file: 'installation-log.json', contents: 'Progress of installations', scope: 'reload', key: byId },
    erasure: nothing('it goes with its installation'),
  },
  reclaims: {
    archive: { omittedBecause: 'the certificates have what was done to a server after it was returned' },
    erasure: numbersOnly,
  },
  certificates: {
    archive: {
      file: 'certificates.json',
      contents: 'Signed certificates of the erasure of servers',
      scope: 'former account',
      key: byId,
      // The next customer of the server is a stranger.
      hidden: ['account_id', 'service_id', 'former_account_id', 'former_service_id'],
    },
    erasure: nothing('it states what was done to a server and names the service by its number'),
  },
  device_images: {
    archive: {
      file: 'mounted-images.json',
      contents: 'Images mounted in devices',
      scope: 'service',
      hidden: ['link_hash'],
    },
    erasure: { do: 'delete', scope: 'service' },
  },
  image_uploads: {
    archive: { omittedBecause: 'it exists while an image is copied' },
    erasure: { do: 'delete', scope: 'service' },
  },
  device_holds: equipment,
  device_locks: equipment,
  stock_numbers: equipment,
  bmc_users: {
    archive: { omittedBecause: 'generated sign-ins of consoles, which end with their session or service' },
    erasure: nothing('it ends with its service'),
  },
  console_tickets: shortLived('it exists for seconds while a console opens'),
  console_sessions: shortLived('it exists while a console is open'),
  console_forwards: unrelated('ports of open consoles'),
  server_sensors: equipment,
  server_log: unrelated('messages of the hardware'),
  serial_lines: equipment,
  serial_holders: settings,
  serial_history: unrelated('output of a server’s serial port, deleted with the service'),
  serial_output: unrelated('output of a server’s serial port, deleted with the service'),
  switches: equipment,
  switch_reports: equipment,
  ports: equipment,
  port_holdings: unrelated('which port carried which service, by their numbers'),
  meters: traffic,
  traffic_days: traffic,
  machine_meters: traffic,
  machine_days: traffic,
  sample_blocks: traffic,
  device_meters: traffic,
  zones: {
    archive: { file: 'dns/zones.json', contents: 'Zones', key: byId },
    erasure: nothing('zones are deleted when the account is closed'),
  },
  zone_claims: { archive: { file: 'dns/claims.json', contents: 'Claims of domains', key: ['name'] }, erasure: remove },
  former_zones: unrelated('names and serials of deleted zones, without an account, for a while'),
  signed_zones: inZoneFiles,
  zone_keys: inZoneFiles,
  withdrawn_zones: {
    archive: { file: 'dns/withdrawn-zones.json', contents: 'Zones that were withdrawn', key: byId },
    erasure: remove,
  },
  withdrawn_records: {
    archive: { omittedBecause: 'the zone files have it' },
    erasure: nothing('it goes with its zone'),
  },
  zone_versions: {
    archive: {
      file: 'dns/history.json',
      contents: 'Changes of zones',
      scope: 'zone',
      key: ['zone_id', 'version'],
    },
    erasure: nothing('it goes with its zone'),
  },
  zone_changes: unrelated('changes that the name servers have not read yet'),
  zone_publications: unrelated('zones that are being published'),
  records: inZoneFiles,
  aliases: inZoneFiles,
  alias_addresses: inZoneFiles,
  netblocks: {
    archive: { file: 'network/addresses.json', contents: 'Addresses', key: byId },
    erasure: nothing('an account with addresses cannot be erased'),
  },
  netblock_units: equipment,
  netblock_holdings: {
    archive: { file: 'network/address-history.json', contents: 'Which addresses the account had, and when', key: byId },
    erasure: numbersOnly,
  },
  netblock_requests: {
    archive: { file: 'network/address-requests.json', contents: 'Requests for addresses', key: byId },
    erasure: remove,
  },
  detectors: settings,
  attacks: {
    archive: { file: 'network/attacks.json', contents: 'Attacks on your addresses', scope: 'service', key: byId },
    erasure: numbersOnly,
  },
  attack_records: {
    archive: { file: 'network/attack-details.json', contents: 'Details of attacks', scope: 'attack', key: byId },
    erasure: nothing('figures of an attack'),
  },
  attack_logs: {
    archive: {
      file: 'network/attack-figures.json',
      contents: 'Figures of attacks',
      scope: 'attack',
      key: ['attack_id', 'at'],
    },
    erasure: nothing('figures of an attack'),
  },
  routers: equipment,
  routes: equipment,
  nullroutes: {
    archive: {
      file: 'network/null-routes.json',
      contents: 'Null routes of your addresses',
      scope: 'service',
      key: byId,
    },
    erasure: { do: 'blank', scope: 'service', set: { reason: '' } },
  },
  nodes: equipment,
  templates: settings,
  machines: {
    archive: {
      file: 'virtual-machines.json',
      contents: 'Virtual machines, without passwords',
      key: ['vmid'],
      hidden: ['install_secret', 'install_data', ...placement, 'reason', 'detail', 'power_error'],
    },
    erasure: nothing('it ends with its service'),
  },
  machine_groups: {
    archive: { file: 'machine-groups.json', contents: 'Groups of virtual machines', key: byId },
    erasure: remove,
  },
  machine_backup_plans: {
    archive: {
      file: 'backup-schedules.json',
      contents: 'Backup schedules of virtual machines',
      key: ['service_id'],
      hidden: ['password', 'error'],
    },
    erasure: nothing('it is removed with the machine'),
  },
  machine_backups: {
    archive: {
      file: 'backups.json',
      contents: 'Backups of virtual machines, without their content',
      key: byId,
      hidden: ['verify_error'],
    },
    erasure: nothing('they are removed with the machine'),
  },
  machine_backup_volumes: {
    archive: {
      file: 'backup-volumes.json',
      contents: 'Volumes in backups, without their content',
      key: ['backup_id', 'volume_id'],
    },
    erasure: nothing('they are removed with the machine'),
  },
  backup_transfers: {
    archive: { omittedBecause: 'it exists while a backup is stored or restored' },
    erasure: nothing('it goes with its backup'),
  },
  machine_copies: {
    archive: { omittedBecause: 'it exists while a machine moves to another hypervisor' },
    erasure: nothing('it goes when the copy of the machine is removed'),
  },
  machine_images: {
    archive: {
      file: 'machine-images.json',
      contents: 'Images made from virtual machines',
      key: byId,
      hidden: ['node'],
    },
    // The reconciler machine-tidy then removes it, and its disk from the hypervisor.
    erasure: { do: 'blank', set: { name: '', state: 'deleting' } },
  },
  machine_snapshots: {
    archive: { file: 'machine-snapshots.json', contents: 'Snapshots of virtual machines', key: byId },
    erasure: nothing('it goes with its machine'),
  },
  machine_deletions: {
    archive: { file: 'deleted-machines.json', contents: 'Deleted virtual machines', key: ['service_id'] },
    erasure: numbersOnly,
  },
  volumes: {
    archive: { file: 'volumes.json', contents: 'Volumes of virtual machines', key: byId, hidden: ['node'] },
    // The reconciler volume-tidy removes it then, with its content.
    erasure: { do: 'blank', set: { name: '', state: 'Deleting', is_attached: 0 } },
  },
  screen_sessions: shortLived('it exists while a screen is open'),
} satisfies Partial<TableRules>;

// Row types of the tables for addresses, switches, traffic, attacks and null routes.
import type { GeneratedAlways, Generated } from 'kysely';
import type { AccountId } from '../account-id.ts';

export interface NetblockTable {
  id: GeneratedAlways<number>;
  cidr: string;
  first: string;
  last: string;
  /** Null for the provider's own blocks, from which others are assigned; both are null or neither. */
  account_id: AccountId | null;
  service_id: number | null;
  /** Managed by the site file, or assigned on request. */
  origin: Generated<'site' | 'request'>;
  /**
   * For the provider's own blocks: whether customers get addresses immediately or after approval. Null if they get
   * none.
   */
  pool: 'assign' | 'ask' | null;
  /** For blocks whose addresses share a network segment: the gateway. */
  gateway: string | null;
  /** How addresses in it reach their devices; null if that is as in the smallest block around it. */
  delivery: Generated<'routed' | 'on-link' | null>;
}

/** The routes to devices that the router was last sent. */
export interface RouteTable {
  prefix: string;
  next_hop: string;
  announced_at: number;
}

/** Each piece of a block that was assigned on request, an IPv4 address or a /64; unique. */
export interface NetblockUnitTable {
  unit: string;
  netblock_id: number;
}

export interface NetblockHoldingTable {
  id: GeneratedAlways<number>;
  cidr: string;
  first: string;
  last: string;
  account_id: AccountId;
  service_id: number;
  held_from: number;
  held_until: number | null;
}

export type NetblockRequestStatus = 'Assigned' | 'Pending' | 'Refused';

export interface NetblockRequestTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  service_id: number;
  family: 'ipv4' | 'ipv6';
  prefix_length: number;
  status: NetblockRequestStatus;
  /** Empty if nothing was assigned. */
  cidr: string;
  created_at: number;
  /** Null if the pool assigned it immediately, and while it waits for approval. */
  decided_at: number | null;
  /** Why the operator rejected it. */
  reason: Generated<string>;
}

export interface SwitchTable {
  name: string;
  driver: string;
  /** The driver's settings as JSON, sealed because they contain a community or passwords. */
  settings: string;
  revision: number;
  next_poll_at: number;
  last_poll_at: number | null;
  /** The error of the last poll; null if it succeeded. */
  poll_error: string | null;
  /** The driver's message for the error, for operators. */
  error_text: Generated<string>;
  /** When it was removed from the site file; null if it is still there. */
  removed_at: number | null;
}

/** The last report of a switch. */
export interface SwitchReportTable {
  switch: string;
  read_at: number;
  /** A `SwitchSummary`, as JSON. */
  summary: string;
  /** A list of `ReportedPort`, as JSON. */
  ports: string;
}

export interface PortTable {
  /** Never reused, so that the traffic of a removed port stays its own. */
  id: GeneratedAlways<number>;
  switch: string;
  if_index: number;
  service_id: number | null;
  /** The server that it is connected to. */
  server: string | null;
  alias: string;
  speed: number;
  /** What the port is recognised by, with the value that it must have; null until the port was first seen. */
  key_by: 'name' | 'description' | 'alias' | null;
  key: string | null;
  /** Its number on the switch when it was last seen, which may no longer be that of the site file. */
  current_index: number | null;
  counter_bits: 32 | 64 | null;
  /** Why it cannot be identified: no port has its key, several have it, or a port of another service or server has it. */
  problem: 'missing' | 'ambiguous' | 'taken' | null;
  /** Another server, which LLDP reports at the other end of the cable. */
  cabled_to: string | null;
}

export interface PortHoldingTable {
  id: GeneratedAlways<number>;
  port_id: number;
  /** Null for the time before holdings were recorded. */
  service_id: number | null;
  held_from: number;
  held_until: number | null;
}

/** A share of the committed rate that the customer was notified of. */
export interface BandwidthNoticeTable {
  account_id: AccountId;
  service_id: number;
  /** Its first second, since 1970. */
  month: number;
  /** Percent of the commitment. */
  threshold: number;
  created_at: number;
}

/** From a release before `device_meters`. */
export interface MeterTable {
  port_id: number;
  meter: string;
}

export interface TrafficDayTable {
  port_id: number;
  /** Midnight UTC, in seconds since 1970. */
  day_start: number;
  packed: Buffer;
}

/** Stays when the machine is gone, because the history of its service does. */
export interface MachineMeterTable {
  service_id: number;
  /** The hypervisor that it was last sampled on. */
  node: string;
  /** As JSON, from a release before `device_meters`. */
  meters: string;
}

export type MachineSeries = 'network' | 'disk' | 'cpu' | 'space';

export interface MachineDayTable {
  service_id: number;
  series: MachineSeries;
  /** Midnight UTC, in seconds since 1970. */
  day_start: number;
  packed: Buffer;
}

/** Recent samples of some ports of a switch, or machines of a hypervisor. */
export interface SampleBlockTable {
  id: GeneratedAlways<number>;
  kind: 'port' | 'machine';
  /** The switch or hypervisor. */
  device: string;
  /** The lowest and highest id of a port, or service of a machine. */
  first_member: number;
  last_member: number;
  /** The earliest and latest interval, in seconds since 1970. */
  first_start: number;
  last_start: number;
  packed: Buffer;
}

/** The state of all meters of a switch or hypervisor between two samples. */
export interface DeviceMetersTable {
  kind: 'port' | 'machine';
  device: string;
  /** Counts changes, so that instances notice what others have stored. */
  version: number;
  /** Compressed JSON. */
  meters: Buffer;
}

export interface DetectorTable {
  name: string;
  /** JSON, sealed because it contains the secret that the detector signs with. */
  settings: string;
}

export interface AttackTable {
  id: GeneratedAlways<number>;
  detector: string;
  /** The detector's own id for it; empty if it has none, in which case an address has one attack at a time. */
  attack: string;
  /** In sortable form. */
  address: string;
  /** Who held the address when the attack started; null if nobody did. */
  account_id: AccountId | null;
  service_id: number | null;
  device: string;
  network: string;
  started_at: number;
  ended_at: number | null;
  /** When the detector last reported it. */
  seen_at: number;
}

export interface AttackRecordTable {
  id: GeneratedAlways<number>;
  attack_id: number;
  direction: string;
  unit: 'packets/s' | 'bits/s';
  protocol: string;
  filters: string;
  /** The maximum. */
  value: number;
  sensor_type: string;
  sensor_interface: string;
  first_at: number;
  last_at: number;
  /** How often the detector reported it. */
  ticks: number;
}

export interface AttackLogTable {
  attack_id: number;
  at: number;
  /** Figures of the traffic log by name, as JSON; a missing name means 0. */
  figures: string;
}

export interface RouterTable {
  name: string;
  driver: string;
  settings: string;
  /** Counts changes of the settings, so that open connections notice that they are outdated. */
  revision: number;
}

export interface NullrouteTable {
  id: GeneratedAlways<number>;
  /** In sortable form. */
  address: string;
  account_id: AccountId;
  service_id: number;
  attack_id: number | null;
  origin: 'customer' | 'policy' | 'operator';
  reason: string;
  created_at: number;
  /** When it expires; null if it stays until it is removed. */
  ends_at: number | null;
  announced_at: number | null;
  removed_at: number | null;
  withdrawn_at: number | null;
}

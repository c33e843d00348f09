// Row types of the tables for services, servers and what runs on them.
import type { Generated, GeneratedAlways } from 'kysely';
import type { Firmware } from '#contract/site/boot.ts';
import type { ImageState } from '#contract/states/images.ts';
import type { NetworkBootKind, ReloadState } from '#contract/states/reloads.ts';
import type { ReclaimStep, ServerState } from '#contract/states/servers.ts';
import type { AccountId } from '../account-id.ts';

export type ServiceType = 'dedicated' | 'vps' | 'cloud';

export type ServiceStatus = 'Pending' | 'Active' | 'Suspended' | 'Terminated';

export interface ServiceTable {
  id: number;
  account_id: AccountId;
  type: ServiceType;
  name: string;
  hostname: string;
  status: ServiceStatus;
  ip: string;
  server: string | null;
  vmid: number | null;
  created_at: number;
  /** JSON: the customer's own labels, sorted. */
  labels: Generated<string>;
  /** For a dedicated server: the name of the system that was installed last; null if Hostyard has installed none. */
  system: string | null;
  installed_at: number | null;
}

export interface ServiceSuspensionTable {
  service_id: number;
  reason: string;
  operator: string;
  since: number;
  /** The state to restore, as JSON. */
  before: string;
}

export interface RackTable {
  name: string;
  /** In units. */
  height: number;
  place: string;
}

export interface RackMountTable {
  kind: 'server' | 'switch' | 'node';
  name: string;
  rack: string;
  /** The lowest unit, counted from 1 at the bottom. */
  unit: number;
  height: number;
}

export interface PduTable {
  name: string;
  driver: string;
  /** The driver's settings as JSON, sealed because they contain a community or passwords. */
  settings: string;
  revision: number;
  /** When it was removed from the site file; null if it is still there. */
  removed_at: number | null;
}

export interface ServerTable {
  /** In lower case. */
  name: string;
  /** The name in the legacy API; null if that is the server's own. Never changes. */
  alias: Generated<string | null>;
  bmc_driver: string;
  /** The driver's settings as JSON, sealed because they contain the provider's password. */
  bmc_settings: string;
  /** Counts changes of the settings, so that open connections notice that they are outdated. */
  bmc_revision: number;
  bmc_model: string;
  /** The host name of this server's console gateway. */
  console_host: string;
  /** 1 if the driver's settings reach the BMC's own web page. */
  has_web_page: Generated<number>;
  /** Descriptions by category, as JSON. */
  parts: string;
  /** The last known state, or null. It is current only if `power_error` is null. */
  power_state: 'on' | 'off' | null;
  /** How it was observed: `command`, `query`, `sync` or `outlets`. */
  power_source: string | null;
  power_seen_at: number | null;
  /** The error of the last check; null if it succeeded. */
  power_error: string | null;
  next_look_at: number;
  /** As the firmware reports it, in lower case; null if the site file does not specify it. */
  uuid: string | null;
  /** Null if the site file does not specify it. */
  firmware: Firmware | null;
  /** The address that DHCP gives it to boot from the network; null if the site file does not specify it. */
  boot_address: Generated<string | null>;
  /** A list of `ServerDisk`, as JSON. */
  disks: Generated<string>;
  /** The outlets of power strips that it is plugged into, as JSON. */
  outlets: Generated<string>;
  /** As printed on the case. */
  serial: string | null;
  state: Generated<ServerState>;
  /** 0 if the site file says not to erase its disks between customers. */
  erase: Generated<number>;
  /** Hardware and firmware as first read, as JSON; null until then. */
  inventory: Generated<string | null>;
  /** Sealed; null unless the password is being changed. */
  bmc_next_password: Generated<string | null>;
  /** Identifies the settings in the site file whose password was replaced; null if they are in use. */
  bmc_file_digest: Generated<string | null>;
  /** When it was removed from the site file; null if it is still there. */
  removed_at: number | null;
}

/** The network cards of servers, in lower case with colons. */
export interface ServerMacTable {
  mac: string;
  server: string;
}

export interface BmcUserTable {
  server: string;
  name: string;
  service_id: number;
  kind: 'customer' | 'console';
  created_at: number;
  /** When a console session expires; null for a customer's own user. */
  expires_at: number | null;
  /** 1 or 0 as last set on the BMC, null while that is unknown. */
  enabled: Generated<number | null>;
}

export type HoldKind = 'locked' | 'maintenance';

export interface DeviceHoldTable {
  /** The name of a server, or of a machine on its hypervisor, as in `device_locks`. */
  device: string;
  kind: HoldKind;
  reason: string;
  operator: string;
  since: number;
}

export interface DeviceLockTable {
  device: string;
  /** The request or workflow that holds the lock. */
  holder: string;
  purpose: string;
  held_until: number;
}

export interface ImageUploadTable {
  workflow_id: string;
  account_id: AccountId;
  service_id: number;
  image: string;
  /** SHA-256 of the secret in its link, in hex. */
  link_hash: string;
  size_bytes: number;
  /** 1 if the BMC has asked for the image and was answered. */
  answered: number;
  /** A transfer of the whole image, as by BMCs that copy it. */
  copy: 'None' | 'Running' | 'Complete' | 'Altered';
  sent_bytes: number;
  /** When `sent_bytes` was recorded. */
  sent_at: number;
}

export interface DeviceImageTable {
  service_id: number;
  account_id: AccountId;
  /** Its value in the catalogue. */
  image: string;
  state: ImageState;
  /** SHA-256 of the secret in its link, in hex; null while there is none. */
  link_hash: string | null;
  changed_at: number;
}

export interface ReloadTable {
  id: string;
  /** Empty until the workflow exists; both are created in one transaction. */
  workflow_id: string;
  account_id: AccountId;
  service_id: number;
  server: string;
  kind: NetworkBootKind;
  /** The system at the start of the reload as JSON, so that a new site file does not change a running reload. */
  system: string;
  status: ReloadState;
  percent: number;
  /** Why it failed. */
  reason: string;
  /** SHA-256 of the secret in its links, in hex. */
  secret_hash: string;
  /** 1 while the server may fetch its script and the links work. */
  open: number;
  /** The network card that requested the script, and when. */
  mac: string | null;
  requested_at: number | null;
  /** When the installer first reported. */
  begun_at: number | null;
  /** The installer's final report. */
  outcome: 'Completed' | 'Failed' | null;
  message: string;
  /** The crypt(3) hash of the new root password; null once the installer has it. */
  password_hash: string | null;
  password_fetched: number;
  /** Sealed: the new password of a reset, until it is collected. */
  new_password: string | null;
  ssh_keys: string;
  created_at: number;
  ended_at: number | null;
  /** The erasing system's findings, as JSON; null for other kinds. */
  findings: Generated<string | null>;
  /** When the booted system last reported. */
  reported_at: Generated<number | null>;
  /** The address that got the script with the secret; null until then. */
  bound_to: Generated<string | null>;
  /** 1 once a link has been used: from then on, the script is not handed out again. */
  links_used: Generated<number>;
  /** When another machine first asked for it. */
  contested_at: Generated<number | null>;
}

export interface ReclaimTable {
  id: string;
  server: string;
  /** The former customer and service. */
  account_id: AccountId;
  service_id: number;
  /** The last attempt. */
  workflow_id: string;
  /** The step that failed; null while it is running, and once it has succeeded. */
  step: ReclaimStep | null;
  reason: string;
  findings: string;
  started_at: number;
  ended_at: number | null;
}

export interface CertificateTable {
  id: string;
  server: string;
  issued_at: number;
  /** A JSON Web Signature in compact form. */
  signed: string;
  /** Null for a server that had no previous customer. */
  former_account_id: AccountId | null;
  former_service_id: number | null;
  /** Null until the server is assigned. */
  account_id: AccountId | null;
  service_id: number | null;
}

export interface ReloadLogTable {
  id: GeneratedAlways<number>;
  reload_id: string;
  at: number;
  /** The status that the customer saw at that time. */
  status: string;
  text: string;
}

export interface ConsoleTicketTable {
  /** SHA-256 of the ticket, in hex; for an open console, a name that no ticket can have. */
  hash: string;
  account_id: AccountId;
  service_id: number;
  key_id: number;
  address: string;
  expires_at: number;
}

export interface ConsoleSessionTable {
  /** The first label of the host name of its web console. */
  id: string;
  account_id: AccountId;
  service_id: number;
  /** The key whose permissions apply. */
  key_id: number;
  /** The only address that may use the session. */
  address: string;
  server: string;
  /** The BMC user of the session, whose row ends this one. */
  username: string;
  /** Sealed. */
  password: string;
  /** SHA-256 of the one-time link, in hex; null if there is none or it was used. */
  link: string | null;
  link_expires_at: number | null;
  /** SHA-256 of the cookie of the browser that used the link, in hex. */
  cookie: string | null;
  expires_at: number;
}

/** Ports of the gateway. */
export interface ConsoleForwardTable {
  port: number;
  session_id: string;
  /** The port of the controller. */
  target: number;
}

export interface VncSessionTable {
  id: string;
  account_id: AccountId;
  service_id: number;
  /** The key whose permissions apply. */
  key_id: number;
  address: string;
  /** Sealed. */
  password: string;
  expires_at: number;
}

// Malfunctions that a lab hypervisor can be given. An empty object is a healthy hypervisor.

/** A call that changes something, as logged in the hypervisor's events. */
export type LabHypervisorStep =
  | 'create'
  | 'remove'
  | 'networks'
  | 'addresses'
  | 'power'
  | 'shutdown'
  | 'reset'
  | 'build'
  | 'use'
  | 'tidy'
  | 'image'
  | 'boot'
  | 'hostname'
  | 'password'
  | 'tun'
  | 'copy'
  | 'volume'
  | 'snapshot'
  | 'restore'
  | 'template'
  | 'resize';

export interface LabHypervisorMalfunctions {
  /** Accepts connections but does not respond. */
  isSilent?: boolean;
  /** Drops every connection. */
  isDown?: boolean;
  responseDelayMs?: number;
  /** How long a build takes, instead of the usual time. */
  buildMs?: number;
  isDiskFull?: boolean;
  /**
   * Crashes in the next such step and stays down. A build is left incomplete; anything else is done but not
   * acknowledged.
   */
  crashesAt?: LabHypervisorStep;
  /** The operating systems of its machines ignore shutdown requests. */
  ignoresShutdown?: boolean;
  /** A running machine keeps its tunnel devices as they were until it starts again. */
  keepsTunUntilStart?: boolean;
  /** Its machines have no guest agent, so their file systems cannot be frozen. */
  hasNoAgent?: boolean;
  /** Running machines do not release volumes. */
  keepsVolumes?: boolean;
  /** The machine whose files its storage has, as if it shared the storage of another hypervisor. */
  hasFilesOf?: string;
  /** Responds with something that is not its protocol. */
  sendsGarbage?: boolean;
}

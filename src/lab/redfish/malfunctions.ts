// Malfunctions that a lab Redfish service can be given. An empty object is a healthy service.

export interface LabRedfishMalfunctions {
  /** Accepts connections but does not respond. */
  isSilent?: boolean;
  responseDelayMs?: number;
  /** Responds with 503 to everything. */
  isBusy?: boolean;
  /** Number of changes to reject as if the resource had been changed in the meantime. */
  staleChanges?: number;
  /** Reports this state regardless of the actual power. */
  reportsPower?: string;
  /** Runs the next reset of the server, but drops the connection before responding. */
  breaksOnReset?: boolean;
  /** Responds to a reset with a task that ends in this state. */
  resetTask?: 'Completed' | 'Exception';
  /** The values of ResetType that it lists and accepts. */
  resetTypes?: readonly string[];
  /** The operating system ignores the power button. */
  ignoresSoftShutdown?: boolean;
  /** The firmware versions that it reports, such as after an update. */
  firmware?: { readonly bmc?: string; readonly bios?: string };
  /** Accounts cannot be disabled. */
  lacksEnabled?: boolean;
  /** Accepts changes to accounts without making them. */
  ignoresAccountChanges?: boolean;
  /** Accepts images but does not show them. */
  ignoresMedia?: boolean;
  /** Accepts images without fetching them. */
  fetchesNothing?: boolean;
  /** Has no virtual media, as without a licence for it. */
  lacksMedia?: boolean;
  /** Copies an image as a whole before it inserts it. */
  copiesMedia?: boolean;
}

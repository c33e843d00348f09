// What can be wrong with a lab Redfish service, on demand. An empty object is a healthy one.

export interface LabRedfishFaults {
  /** Takes connections and answers nothing. */
  isSilent?: boolean;
  /** Answers 503 to everything. */
  isBusy?: boolean;
  /** How many changes are refused as if somebody else had changed the resource in between. */
  staleChanges?: number;
  /** Reports this, whatever the power is. */
  reportsPower?: string;
  /** The next reset of the server runs, but the connection breaks before it is answered. */
  breaksOnReset?: boolean;
  /** Answers a reset with a task that ends like this. */
  resetTask?: 'Completed' | 'Exception';
  /** The values of ResetType that it lists and takes. */
  resetTypes?: readonly string[];
  /** The operating system does not heed the power button. */
  ignoresSoftShutdown?: boolean;
  /** Takes images and does not show them. */
  ignoresMedia?: boolean;
}

// What a customer chooses for a new system, in addition to its template. It waits in the row of the machine until the system is
// installed, and is sealed, because user data often contains secrets.
import type { SecretBox } from '#lib/secrets.ts';
import type { Machine } from '#store/devices/machines.ts';

export interface InstallData {
  /** Public keys for root. */
  readonly sshKeys: readonly string[];
  /** For cloud-init. */
  readonly userData?: string;
}

/** Also if nothing was chosen: a machine with install data is new, and one of its name that exists already is not it. */
export function sealInstallData(secrets: SecretBox, service: number, data: InstallData): string {
  return secrets.seal(JSON.stringify(data), sealContext(service));
}

export function openInstallData(
  secrets: SecretBox,
  { service_id, install_data }: Pick<Machine, 'service_id' | 'install_data'>,
): InstallData {
  if (install_data === null) return { sshKeys: [] };
  return JSON.parse(secrets.open(install_data, sealContext(service_id))) as InstallData;
}

function sealContext(service: number): string {
  return `machine install data ${service}`;
}

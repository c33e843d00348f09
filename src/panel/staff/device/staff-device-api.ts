// The customer's operations on one device, by staff: the operator API has them under the same names, with the device in
// place of the service and a reason for every change.
import type { DeviceApi } from '../../data/operations.ts';
import { staffApi } from '../../data/session.ts';

type Client = ReturnType<DeviceApi['client']>;
type Call = (input: object, options?: object) => Promise<unknown>;
const logPollMs = 3000;

export function createStaffDeviceApi(device: string, reason: string): DeviceApi {
  const callOperation = (name: string): Call => {
    const isRead = /(?:Get|List|Log|Status)$/.test(name);
    return (input, options) =>
      (staffApi()[name as 'deviceGet'] as unknown as Call)(
        { ...input, service: undefined, device, ...(!isRead && { reason }) },
        options,
      );
  };
  const special: Record<string, unknown> = {
    deviceSensorsGet: () => staffApi().deviceSensorsGet({ server: device }),
    // Staff follow the work of all customers on a page of theirs, and install with keys of their choice.
    actionList: async () => [],
    eventLogGet: async () => ({ events: [], cursor: '' }),
    sshKeyList: async () => [],
    stream: { deviceReloadLog: (_: object, { signal }: { signal: AbortSignal }) => followLog(device, signal) },
  };
  const client = new Proxy(special, {
    get: (_, name) => special[String(name)] ?? callOperation(String(name)),
  }) as unknown as Client;
  return { portal: 'staff', client: () => client, device, reason };
}

async function* followLog(device: string, signal: AbortSignal) {
  for (let seen = 0; !signal.aborted;) {
    const lines = await staffApi().deviceReloadLog({ device }, { signal });
    yield* lines.slice(seen);
    seen = lines.length;
    await new Promise((resolve) => setTimeout(resolve, logPollMs));
  }
}

// Operator API: what customers can do with a device, for staff. Each operation is the customers' one with the name of
// the device in place of the service, so that it also works for a server in stock. Whatever changes something needs a
// reason, which both audit logs show.
import { effectOf, type Endpoint, type Parameters } from '../endpoint.ts';
import * as p from '../parameters.ts';
import type { Permission } from '../roles.ts';
import { deviceV2 } from '../v2/device.ts';
import { networkV2 } from '../v2/network.ts';

const customerOperations = { ...deviceV2, ...networkV2 };
type CustomerOperations = typeof customerOperations;

/** The commands of the operations after `hostyard operator`. */
const commands = {
  devicePowerGet: 'device power',
  devicePowerSet: 'device power-set',
  deviceShutdown: 'device shutdown',
  deviceBootSet: 'device boot',
  deviceHardwareGet: 'device hardware',
  deviceConsoleTicket: 'device console-ticket',
  deviceConsoleWeb: 'device console-web',
  deviceConsoleReset: 'device console-reset',
  deviceImageList: 'device images',
  deviceImageStatus: 'device image',
  deviceImageUpload: 'device image-upload',
  deviceImageMount: 'device image-mount',
  deviceImageUnmount: 'device image-unmount',
  deviceRescueStatus: 'device rescue',
  deviceRescueStart: 'device rescue-start',
  deviceRescueEnd: 'device rescue-end',
  deviceTemplateList: 'device systems',
  deviceReloadStatus: 'device reload',
  deviceReloadLog: 'device reload-log',
  deviceReloadStart: 'device reload-start',
  deviceReloadCancel: 'device reload-cancel',
  portEnable: 'device port-enable',
  portDisable: 'device port-disable',
  trafficGet: 'device traffic',
  monthGet: 'device month',
} as const satisfies Partial<Record<keyof CustomerOperations, string>>;

export type StaffDeviceOperation = keyof typeof commands;
export const staffDeviceOperations = Object.keys(commands) as StaffDeviceOperation[];

/** A reinstallation destroys the customer's data, like a termination. */
const permissions: Partial<Record<StaffDeviceOperation, Permission>> = { deviceReloadStart: 'operator:services' };

type ParamsOf<E extends Endpoint> = Omit<E['params'], 'service'> & {
  readonly device: typeof p.DeviceName;
} & (E extends { effect: 'stored' | 'equipment' } ? { readonly reason: ReturnType<typeof p.Text> } : unknown);
type StaffEndpoint<E extends Endpoint> = Omit<
  E,
  'params' | 'access' | 'path' | 'tag' | 'target' | 'command' | 'streams' | 'resultsAs'
> & {
  readonly path: `/operator/device/${string}`;
  readonly access: Permission;
  readonly params: ParamsOf<E>;
};
export type DeviceOperations = {
  readonly [Name in StaffDeviceOperation]: StaffEndpoint<CustomerOperations[Name]> & Endpoint;
};

function forStaff(name: StaffDeviceOperation): Endpoint {
  const { streams: _, resultsAs: __, ...declaration }: Endpoint = customerOperations[name];
  const { service: ___, ...params }: Parameters = declaration.params;
  const isChange = effectOf(declaration) !== 'none';
  // The list of images names its service in the query; here every read names its device in the path.
  const path = declaration.path
    .replace(/^\/v2\/(?:device|network)/, '/operator/device')
    .replace('{service}', '{device}');
  return {
    ...declaration,
    tag: 'device',
    path: (name === 'deviceImageList' ? '/operator/device/iso/{device}/choices' : path) as Endpoint['path'],
    access: isChange ? (permissions[name] ?? 'operator:equipment') : 'operator:read',
    command: commands[name],
    params: { ...params, device: p.DeviceName, ...(isChange && { reason: p.Text() }) },
    ...(isChange && {
      target: ['device', 'reason', ...(declaration.target ?? []).filter((target) => target !== 'service')],
    }),
  } as Endpoint;
}

export const deviceOperations = Object.fromEntries(
  staffDeviceOperations.map((name) => [name, forStaff(name)]),
) as unknown as DeviceOperations;

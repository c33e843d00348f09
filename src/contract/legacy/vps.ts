// Legacy: virtual machines, both vps and cloud, identified by their `vmid`.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { ImageEntry, Machine, MachineAddresses } from '../shapes/device.ts';

const readEndpoint = { method: 'GET', tag: 'vps', access: 'device:read' } as const;
const writeEndpoint = { method: 'POST', tag: 'vps', access: 'device:write', effect: 'equipment' } as const;

export const vpsLegacy = {
  vpsList: endpoint({
    ...readEndpoint,
    path: '/vps/list',
    summary: 'List virtual machines',
    result: Type.Array(Machine),
  }),
  vpsGet: endpoint({
    ...readEndpoint,
    path: '/vps/get/{id}',
    summary: 'Get a virtual machine',
    params: { vmid: p.Id },
    aliases: { id: 'vmid' },
    result: Machine,
  }),
  vpsImageList: endpoint({
    ...readEndpoint,
    path: '/vps/iso',
    summary: 'List ISO images for virtual machines',
    result: Type.Array(ImageEntry),
  }),
  vpsImageMount: endpoint({
    ...writeEndpoint,
    path: '/vps/iso',
    summary: 'Mount an ISO image',
    params: { vmid: p.Id, image: p.Text() },
    target: ['vmid', 'image'],
    result: Type.Literal('Image Mounted'),
    errors: ['state_conflict', 'not_in_catalogue', 'capability_missing', ...equipmentErrors.node],
  }),
  vpsTemplateList: endpoint({
    ...readEndpoint,
    path: '/vps/template/{type}',
    summary: 'List operating systems for a type of virtual machine',
    params: { type: p.Choice('Xen', 'OpenVZ') },
    result: Type.Array(ImageEntry),
  }),
  vpsReinstall: endpoint({
    ...writeEndpoint,
    path: '/vps/reinstall',
    summary: 'Reinstall a virtual machine',
    description: 'Erases the machine. Returns the new root password.',
    params: { vmid: p.Id, template: p.Text() },
    target: ['vmid', 'template'],
    errors: ['state_conflict', 'not_in_catalogue', 'nothing_free', ...equipmentErrors.node],
  }),
  vpsPowerSet: endpoint({
    method: 'POST',
    path: '/vps/power',
    tag: 'vps',
    access: 'device:power',
    effect: 'equipment',
    summary: 'Set the power of a virtual machine',
    description: 'Powers it on or off, or power-cycles it.',
    params: { vmid: p.Id, action: p.Choice('on', 'off', 'reboot') },
    target: ['vmid', 'action'],
    result: Type.Enum(['Powered On', 'Powered Off', 'Rebooted']),
    errors: ['state_conflict', ...equipmentErrors.node],
  }),
  vpsHostnameSet: endpoint({
    ...writeEndpoint,
    path: '/vps/hostname',
    summary: 'Set the host name of a virtual machine',
    params: { vmid: p.Id, hostname: p.HostName },
    target: ['vmid'],
    result: Type.Literal('Hostname Updated'),
    errors: ['state_conflict', ...equipmentErrors.node],
  }),
  vpsPasswordReset: endpoint({
    ...writeEndpoint,
    path: '/vps/password',
    summary: 'Reset the root password',
    description: 'Returns the new password.',
    params: { vmid: p.Id },
    target: ['vmid'],
    errors: ['state_conflict', 'capability_missing', ...equipmentErrors.node],
  }),
  vpsTunSet: endpoint({
    ...writeEndpoint,
    path: '/vps/tun',
    summary: 'Enable or disable tunnel devices in a virtual machine',
    description:
      '`vmid` can be omitted if the account has exactly one machine. The result says if a running machine has to be restarted for the change.',
    params: { action: p.Choice('enable', 'disable'), vmid: p.addition(p.Id) },
    target: ['vmid', 'action'],
    result: Type.Enum([
      'TUN Enabled',
      'TUN Disabled',
      'TUN Enabled from the next start',
      'TUN Disabled from the next start',
    ]),
    errors: ['state_conflict', 'capability_missing', ...equipmentErrors.node],
  }),
  vpsNetworkGet: endpoint({
    method: 'GET',
    path: '/vps/network',
    tag: 'vps',
    access: 'network:read',
    summary: 'List the addresses of virtual machines',
    result: MachineAddresses,
  }),
  vpsReverseSet: endpoint({
    method: 'POST',
    path: '/vps/rDNS',
    tag: 'vps',
    access: 'dns:write',
    effect: 'stored',
    publishes: true,
    ignoresHold: true,
    summary: 'Set the reverse DNS of an address',
    params: { ip: p.IpAddress, record: p.ReverseName },
    target: ['record', 'ip'],
    result: Type.Literal('Record Updated'),
    errors: ['capability_missing', ...equipmentErrors.nameserver],
  }),
} as const;

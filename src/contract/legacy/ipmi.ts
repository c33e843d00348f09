// Legacy: the BMC of a dedicated server, identified by the server's name.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import {
  BmcUser,
  BootDone,
  ImageStatus,
  InstallStatus,
  JavaConsole,
  NewPassword,
  PortTraffic,
  PowerDone,
  SoftPowerDone,
} from '../shapes/device.ts';

const powerActions = [
  'checkOn',
  'checkOff',
  'on',
  'off',
  'offHard',
  'offSoft',
  'reboot',
  'reset',
  'rebootPXE',
  'rebootCDROM',
  'rebootBIOS',
] as const;

const consoleEndpoint = {
  method: 'POST',
  tag: 'ipmi',
  access: 'device:console',
  effect: 'equipment',
  params: { server: p.LegacyServerName },
  target: ['server'],
} as const;
const writeEndpoint = { method: 'POST', tag: 'ipmi', access: 'device:write', effect: 'equipment' } as const;

export const ipmiLegacy = {
  ipmiConsoleOpen: endpoint({
    ...consoleEndpoint,
    path: '/ipmi/kvm',
    summary: 'Open a console',
    description: 'Returns a launcher file.',
    result: JavaConsole,
    errors: ['capability_missing', 'nothing_free', ...equipmentErrors.bmc],
  }),
  ipmiBandwidthGet: endpoint({
    method: 'POST',
    path: '/ipmi/bandwidth',
    tag: 'ipmi',
    access: 'network:read',
    effect: 'none',
    summary: 'Get traffic figures and graphs of a server',
    cost: 5,
    params: {
      server: p.LegacyServerName,
      start: p.optional(p.Choice('day', 'week', 'month')),
      graph: p.optional(p.Flag),
    },
    result: PortTraffic,
  }),
  ipmiUserSet: endpoint({
    ...writeEndpoint,
    path: '/ipmi/user',
    summary: 'Create or delete an IPMI user, or reset its password',
    params: {
      server: p.LegacyServerName,
      username: p.BmcUsername,
      action: p.Choice('createUser', 'deleteUser', 'resetPassword'),
    },
    target: ['server', 'username', 'action'],
    result: Type.Union([BmcUser, Type.Literal('User Removed'), NewPassword]),
    errors: ['already_exists', 'nothing_free', 'capability_missing', ...equipmentErrors.bmc],
  }),
  ipmiPowerSet: endpoint({
    method: 'POST',
    path: '/ipmi/power',
    tag: 'ipmi',
    access: 'device:power',
    effect: 'equipment',
    reading: { parameter: 'action', values: ['checkOn', 'checkOff'], access: 'device:read' },
    summary: 'Get or set the power of a server, or set its next boot device',
    description: '`checkOn` and `checkOff` return the string `true` or `false`.',
    params: { server: p.LegacyServerName, action: p.Choice(...powerActions) },
    target: ['server', 'action'],
    result: Type.Union([PowerDone, SoftPowerDone, BootDone, Type.Enum(['true', 'false'])]),
    errors: ['state_conflict', 'capability_missing', ...equipmentErrors.bmc],
  }),
  ipmiControllerReset: endpoint({
    ...consoleEndpoint,
    path: '/ipmi/reset',
    summary: 'Restart the IPMI controller',
    description: 'The server itself keeps running.',
    result: Type.Literal('Controller Reset'),
    errors: ['capability_missing', ...equipmentErrors.bmc],
  }),
  ipmiImageSet: endpoint({
    ...writeEndpoint,
    path: '/ipmi/image',
    reading: { parameter: 'action', values: ['status'], access: 'device:read' },
    summary: 'Set, mount, unmount or get the ISO image',
    description: '`image` is required with `setImage`.',
    params: {
      server: p.LegacyServerName,
      action: p.Choice('status', 'mountImage', 'unmountImage', 'setImage'),
      image: p.optional(p.Text()),
    },
    target: ['server', 'image', 'action'],
    result: Type.Union([ImageStatus, Type.Enum(['Image Set', 'Image Mounted', 'Image Unmounted'])]),
    errors: ['state_conflict', 'not_in_catalogue', 'capability_missing', ...equipmentErrors.bmc],
  }),
  ipmiInstallSet: endpoint({
    ...writeEndpoint,
    path: '/ipmi/pxe',
    reading: { parameter: 'action', values: ['status'], access: 'device:read' },
    summary: 'Start, stop or check an installation from the network',
    description: '`image` is required with `start`, which erases the server.',
    params: {
      server: p.LegacyServerName,
      action: p.Choice('status', 'stop', 'start'),
      image: p.optional(p.Id),
    },
    target: ['server', 'image', 'action'],
    result: Type.Union([InstallStatus, Type.Enum(['Installation Started', 'Installation Stopped'])]),
    errors: ['state_conflict', 'not_in_catalogue', 'capability_missing', ...equipmentErrors.bmc],
  }),
} as const;

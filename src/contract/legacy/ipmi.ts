// Legacy: the management controller of a dedicated server, named by its place in the data centre. Several paths take an
// `action` that reads or changes; they are declared with what the changing one needs.
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

export const ipmiLegacy = {
  ipmiConsoleOpen: endpoint({
    method: 'POST',
    path: '/ipmi/kvm',
    tag: 'ipmi',
    access: 'device:console',
    effect: 'equipment',
    summary: 'Open a console: a launcher file',
    params: { server: p.ServerName },
    result: JavaConsole,
    errors: ['capability_missing', 'nothing_free', ...equipmentErrors.bmc],
  }),
  ipmiBandwidthGet: endpoint({
    method: 'POST',
    path: '/ipmi/bandwidth',
    tag: 'ipmi',
    access: 'network:read',
    effect: 'none',
    summary: 'Traffic figures and graphs of the ports of a server',
    params: {
      server: p.ServerName,
      start: p.optional(p.Choice('day', 'week', 'month')),
      graph: p.optional(p.Flag),
    },
    result: PortTraffic,
  }),
  ipmiUserSet: endpoint({
    method: 'POST',
    path: '/ipmi/user',
    tag: 'ipmi',
    access: 'device:write',
    effect: 'equipment',
    summary: 'Make or remove a user of the controller, or give it a new password',
    params: {
      server: p.ServerName,
      username: p.BmcUsername,
      action: p.Choice('createUser', 'deleteUser', 'resetPassword'),
    },
    result: Type.Union([BmcUser, Type.Literal('User Removed'), NewPassword]),
    errors: ['already_exists', 'nothing_free', 'capability_missing', ...equipmentErrors.bmc],
  }),
  ipmiPowerSet: endpoint({
    method: 'POST',
    path: '/ipmi/power',
    tag: 'ipmi',
    access: 'device:power',
    effect: 'equipment',
    summary: 'Ask for or change the power of a server, or choose its next boot',
    description: '`checkOn` and `checkOff` answer the text `true` or `false` and change nothing.',
    params: { server: p.ServerName, action: p.Choice(...powerActions) },
    result: Type.Union([PowerDone, SoftPowerDone, BootDone, Type.Enum(['true', 'false'])]),
    errors: ['state_conflict', 'capability_missing', ...equipmentErrors.bmc],
  }),
  ipmiControllerReset: endpoint({
    method: 'POST',
    path: '/ipmi/reset',
    tag: 'ipmi',
    access: 'device:console',
    effect: 'equipment',
    summary: 'Restart the controller; the server itself runs on',
    params: { server: p.ServerName },
    result: Type.Literal('Controller Reset'),
    errors: ['capability_missing', ...equipmentErrors.bmc],
  }),
  ipmiImageSet: endpoint({
    method: 'POST',
    path: '/ipmi/image',
    tag: 'ipmi',
    access: 'device:write',
    effect: 'equipment',
    summary: 'Set, mount or unmount an ISO image, or ask which one is there',
    description: '`image` is required with `setImage`. `status` changes nothing.',
    params: {
      server: p.ServerName,
      action: p.Choice('status', 'mountImage', 'unmountImage', 'setImage'),
      image: p.optional(p.Text()),
    },
    result: Type.Union([ImageStatus, Type.Enum(['Image Set', 'Image Mounted', 'Image Unmounted'])]),
    errors: ['state_conflict', 'not_in_catalogue', 'capability_missing', ...equipmentErrors.bmc],
  }),
  ipmiInstallSet: endpoint({
    method: 'POST',
    path: '/ipmi/pxe',
    tag: 'ipmi',
    access: 'device:write',
    effect: 'equipment',
    summary: 'Start or stop an installation over the network, or ask how far it is',
    description: '`image` is required with `start`, which erases the server. `status` changes nothing.',
    params: {
      server: p.ServerName,
      action: p.Choice('status', 'stop', 'start'),
      image: p.optional(p.Id),
    },
    result: Type.Union([InstallStatus, Type.Enum(['Installation Started', 'Installation Stopped'])]),
    errors: ['state_conflict', 'not_in_catalogue', 'capability_missing', ...equipmentErrors.bmc],
  }),
} as const;

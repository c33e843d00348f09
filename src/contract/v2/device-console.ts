// Version 2: the consoles of a device.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { ConsoleTicket, JavaConsole, MachineConsole, WebConsole } from '../shapes/device.ts';
import { deviceErrors } from './device-report.ts';

const consoleEndpoint = {
  tag: 'device',
  access: 'device:console',
  params: { service: p.Id },
  target: ['service'],
} as const;

export const deviceConsoleV2 = {
  deviceConsoleReset: endpoint({
    ...consoleEndpoint,
    method: 'DELETE',
    path: '/v2/device/console',
    effect: 'equipment',
    summary: 'Reset the console',
    description:
      'Ends the console session and, for a dedicated server, all other sessions of its controller: the serial console, and remote screens if the controller lists them.',
    result: Type.Literal('Console Reset'),
    errors: ['capability_missing', 'state_conflict', ...deviceErrors],
  }),
  deviceConsoleOpen: endpoint({
    ...consoleEndpoint,
    method: 'GET',
    path: '/v2/device/console/{service}',
    // A user is created on the BMC for the session.
    effect: 'equipment',
    summary: 'Open a console',
    description: 'Returns a launcher file for a dedicated server, or VNC credentials for a virtual machine.',
    result: Type.Union([JavaConsole, MachineConsole]),
    errors: ['capability_missing', 'state_conflict', 'nothing_free', ...deviceErrors],
  }),
  deviceConsoleTicket: endpoint({
    ...consoleEndpoint,
    method: 'POST',
    path: '/v2/device/console',
    effect: 'stored',
    cost: 3,
    addition: true,
    summary: 'Create a browser console ticket',
    description:
      'Open a WebSocket at `url` within `expires` seconds, from the same address. The ticket works once. For a dedicated server, binary frames carry the serial console in both directions, starting with its recent output, and the text frame `break` sends a break. For a virtual machine they carry VNC (RFB), as noVNC expects it, or its text console if it has no VNC.',
    result: ConsoleTicket,
    errors: ['capability_missing', 'state_conflict'],
  }),
  deviceConsoleWeb: endpoint({
    ...consoleEndpoint,
    method: 'POST',
    path: '/v2/device/console/web',
    // A user is created on the BMC for the session.
    effect: 'equipment',
    addition: true,
    summary: 'Open the web console of a dedicated server',
    description:
      "Returns a link to the page of the server's controller, with its console. Open it within `expires` seconds, from the same address; it works once. The session ends after an hour, with a console reset, and when another console is opened.",
    result: WebConsole,
    errors: ['capability_missing', 'state_conflict', 'nothing_free', ...equipmentErrors.bmc],
  }),
} as const;

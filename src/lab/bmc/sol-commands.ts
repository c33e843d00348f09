// Commands that open, close and configure a lab BMC's Serial-over-LAN.

import {
  activatePayload,
  alreadyInactive,
  deactivatePayload,
  getSolConfiguration,
  payloadCompletion,
  setSolConfiguration,
  solParameter,
  solRequest,
} from '#protocols/ipmi/commands/payload.ts';
import { completion } from '#protocols/ipmi/error.ts';
import { handle, CommandError } from './handler.ts';
import { solPayloadBytes } from './sol-server.ts';

const rate115200 = 0x0a;
const udpPortParameter = 8;

/** Returns a configuration parameter. None can be changed, so that setting one succeeds and does nothing. */
function configuration(parameter: number, udpPort: number): Buffer | undefined {
  const values: Record<number, number[]> = {
    [solParameter.setInProgress]: [0],
    [solParameter.enable]: [1],
    // Encrypted and authenticated, for users and above.
    [solParameter.authentication]: [0xc2],
    [solParameter.accumulate]: [5, 96],
    [solParameter.retry]: [7, 50],
    [solParameter.bitRate]: [rate115200],
    6: [rate115200],
    7: [1],
    [udpPortParameter]: [udpPort & 0xff, udpPort >> 8],
  };
  const bytes = values[parameter];
  return bytes && Buffer.from(bytes);
}

export const solCommands = [
  handle(activatePayload, 'user', (request, machine, session) => {
    if (request.payload !== solRequest.payload || request.instance !== solRequest.instance) {
      return new CommandError(completion.invalidField);
    }
    if (session === undefined || !machine.sol.activate(session))
      return new CommandError(payloadCompletion.alreadyActive);
    const bytes = machine.solBytes() ?? solPayloadBytes;
    return { inboundBytes: bytes, outboundBytes: bytes, udpPort: machine.udpPort() };
  }),
  handle(deactivatePayload, 'user', (_request, machine) =>
    machine.sol.deactivate() ? null : new CommandError(alreadyInactive),
  ),
  handle(getSolConfiguration, 'user', ({ parameter }, machine) => {
    return configuration(parameter, machine.udpPort()) ?? new CommandError(completion.parameterUnsupported);
  }),
  handle(setSolConfiguration, 'administrator', ({ parameter }, machine) =>
    configuration(parameter, machine.udpPort()) === undefined
      ? new CommandError(completion.parameterUnsupported)
      : null,
  ),
];

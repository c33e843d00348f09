// Activation and configuration of Serial-over-LAN.
import {
  bits,
  byteOf,
  command,
  constant,
  layout,
  netFn,
  nothing,
  reserved,
  rest,
  single,
  trailer,
  u16,
  u8,
  type Decoded,
} from '../codec.ts';

const encryptedAndAuthenticated = 0xc0;

const payloadInstance = [byteOf({ payload: bits(6) }), byteOf({ instance: bits(4) })] as const;

const activatedPayload = layout(
  reserved(4),
  // The largest SOL payload, including its header, that the BMC accepts and sends.
  u16('inboundBytes'),
  u16('outboundBytes'),
  u16('udpPort'),
  trailer(0xff, 0xff),
);
export type ActivatedPayload = Decoded<typeof activatedPayload>;

export const activatePayload = command(
  'Activate Payload',
  netFn.app,
  0x48,
  layout(...payloadInstance, constant(encryptedAndAuthenticated, 0, 0, 0)),
  activatedPayload,
);

export const deactivatePayload = command(
  'Deactivate Payload',
  netFn.app,
  0x49,
  layout(...payloadInstance, trailer(0, 0, 0, 0)),
  nothing,
);

/** The first and only instance of the SOL payload. */
export const solRequest = { payload: 0x01, instance: 1 };

/** Completion codes of both commands. */
export const payloadCompletion = { alreadyActive: 0x80, disabled: 0x81, limitReached: 0x82 } as const;
export const alreadyInactive = 0x80;

export const solParameter = {
  setInProgress: 0,
  enable: 1,
  authentication: 2,
  accumulate: 3,
  retry: 4,
  bitRate: 5,
} as const;

const channelParameter = [byteOf({ channel: bits(4) }), u8('parameter')] as const;

export const setSolConfiguration = command(
  'Set SOL Configuration',
  netFn.transport,
  0x21,
  layout(...channelParameter, rest('data')),
  nothing,
);

export const getSolConfiguration = command(
  'Get SOL Configuration',
  netFn.transport,
  0x22,
  layout(...channelParameter, reserved(2)),
  single(layout(constant(0x11), rest('value'))),
);

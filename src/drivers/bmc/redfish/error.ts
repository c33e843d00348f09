// What can go wrong between us and a Redfish service, and which of it is whose fault in the caller's words. Of a service's own
// messages only their ids are kept: their texts may repeat what was sent, and that may be a password.
import { Fault } from '#kernel/fault.ts';
import { missing, type BmcCapability } from '../driver.ts';

export type RedfishErrorKind =
  /** Nothing was sent, or it may be sent again. */
  | 'unreachable'
  /** It was sent, and nobody knows whether it was done. */
  | 'unknown'
  /** No secure connection could be made. */
  | 'untrusted'
  | 'refused'
  | 'busy'
  | 'rejected'
  | 'badAnswer';

export class RedfishError extends Error {
  override readonly name = 'RedfishError';
  readonly kind: RedfishErrorKind;
  readonly status: number | undefined;
  /** Ids of messages, without the registry and its version. */
  readonly messages: readonly string[];

  constructor(
    kind: RedfishErrorKind,
    text: string,
    detail: { status?: number; messages?: readonly string[]; cause?: unknown } = {},
  ) {
    super(text, { cause: detail.cause });
    this.kind = kind;
    this.status = detail.status;
    this.messages = detail.messages ?? [];
  }
}

const lackingStatus = new Set([404, 405, 501]);
const lackingMessages = new Set([
  'ActionNotSupported',
  'OperationNotAllowed',
  'PropertyUnknown',
  'PropertyNotWritable',
]);

/** Does the work; what goes wrong is told in the caller's words. */
export async function told<T>(capability: BmcCapability, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RedfishError)) throw error;
    throw faultOf(error, capability);
  }
}

function faultOf(error: RedfishError, capability: BmcCapability): Fault {
  const detail = { cause: error, internal: [error.message, ...error.messages].join(' ') };
  switch (error.kind) {
    case 'unreachable':
      return new Fault('bmc_unreachable', detail);
    case 'unknown':
      return new Fault('bmc_unreachable', {
        ...detail,
        message:
          'The controller fell silent; it is not known whether the command ran. Look at the state before trying again.',
      });
    case 'refused':
      return new Fault('bmc_refused', detail);
    case 'untrusted':
      return new Fault('bmc_error', {
        ...detail,
        message: 'The controller did not show the certificate that it should have.',
      });
    case 'rejected':
      if (lackingStatus.has(error.status ?? 0) || error.messages.some((id) => lackingMessages.has(id)))
        return missing(capability, detail);
      return error.status === 409
        ? new Fault('state_conflict', {
            ...detail,
            message: 'The controller refuses this in the present state of the server.',
          })
        : new Fault('bmc_error', detail);
    case 'busy':
    case 'badAnswer':
      return new Fault('bmc_error', detail);
  }
}

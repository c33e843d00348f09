// Errors of Redfish services, and their translation to API errors. Of a service's messages only the ids are kept,
// because the texts may repeat what was sent, such as a password.
import { ApiError } from '#lib/api-error.ts';
import { missingCapability, translateErrors, type BmcCapability } from '../driver.ts';

export type RedfishErrorKind =
  /** Nothing was sent, or it is safe to send again. */
  | 'unreachable'
  /** It was sent, and the outcome is unknown. */
  | 'unknown'
  /** The certificate is not the expected one. */
  | 'untrusted'
  /** There is no TLS version or cipher that both sides support. */
  | 'noTls'
  | 'auth'
  | 'busy'
  | 'rejected'
  | 'badResponse'
  /** The responses to one call are more than any service has to say. */
  | 'excessive';

export class RedfishError extends Error {
  override readonly name = 'RedfishError';
  readonly kind: RedfishErrorKind;
  readonly status: number | undefined;
  /** Message ids without the registry and its version. */
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

  /** For the log. */
  get summary(): string {
    return [this.message, ...this.messages].join(' ');
  }
}

const unsupportedStatuses = new Set([404, 405, 501]);
const unsupportedMessages = new Set([
  'ActionNotSupported',
  'OperationNotAllowed',
  'PropertyUnknown',
  'PropertyNotWritable',
]);

export function withApiErrors<Methods extends object>(capability: BmcCapability, part: Methods): Methods {
  return translateErrors(part, (error) => (error instanceof RedfishError ? toApiError(error, capability) : error));
}

function toApiError(error: RedfishError, capability: BmcCapability): ApiError {
  const detail = { cause: error, internal: error.summary };
  switch (error.kind) {
    case 'unreachable':
      return new ApiError('bmc_unreachable', detail);
    case 'unknown':
      return new ApiError('bmc_unreachable', {
        ...detail,
        message:
          'The BMC stopped responding, and it is unknown whether the command ran. Check the state before you try again.',
      });
    case 'auth':
      return new ApiError('bmc_refused', detail);
    case 'untrusted':
      return new ApiError('bmc_error', {
        ...detail,
        message: 'The BMC presented an unexpected certificate. Check the fingerprint or ca in its settings.',
      });
    case 'noTls':
      return new ApiError('bmc_error', {
        ...detail,
        message: 'The BMC does not support TLS 1.2 or later with a current cipher. Update its firmware.',
      });
    case 'rejected':
      if (unsupportedStatuses.has(error.status ?? 0) || error.messages.some((id) => unsupportedMessages.has(id)))
        return missingCapability(capability, detail);
      return error.status === 409
        ? new ApiError('state_conflict', {
            ...detail,
            message: 'The BMC rejects this in the current state of the server.',
          })
        : new ApiError('bmc_error', detail);
    case 'busy':
    case 'badResponse':
    case 'excessive':
      return new ApiError('bmc_error', detail);
  }
}

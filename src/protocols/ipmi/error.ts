// Errors of IPMI exchanges, as a closed set: callers decide by `kind`, never by the text. `outcome` matters only after
// an action: 'unknown' means that it may have run.

export type IpmiErrorKind =
  /** The BMC rejects the user, the password, K_g or the privilege. */
  | 'auth'
  /** No response before the deadline, or the caller's signal was aborted. */
  | 'timeout'
  /** The BMC has no resources at the moment: try later. */
  | 'busy'
  /** The BMC lacks the command, the parameter or the cipher suite. */
  | 'unsupported'
  /** The BMC rejects the request in its current state or for these values. */
  | 'rejected'
  /** The response violates the protocol. */
  | 'badResponse';

export type Outcome = 'nothingChanged' | 'unknown';

export class IpmiError extends Error {
  readonly kind: IpmiErrorKind;
  readonly completionCode: number | undefined;
  readonly outcome: Outcome;

  constructor(
    kind: IpmiErrorKind,
    message: string,
    details: { completionCode?: number; outcome?: Outcome; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'IpmiError';
    this.kind = kind;
    this.completionCode = details.completionCode;
    this.outcome = details.outcome ?? 'nothingChanged';
  }
}

export const completion = {
  ok: 0x00,
  parameterUnsupported: 0x80,
  setInProgress: 0x81,
  nodeBusy: 0xc0,
  invalidCommand: 0xc1,
  invalidForLun: 0xc2,
  timedOut: 0xc3,
  outOfSpace: 0xc4,
  reservationCancelled: 0xc5,
  lengthInvalid: 0xc7,
  lengthLimitExceeded: 0xc8,
  parameterOutOfRange: 0xc9,
  cannotReturnLength: 0xca,
  notPresent: 0xcb,
  invalidField: 0xcc,
  illegalForSensor: 0xcd,
  insufficientPrivilege: 0xd4,
  notInPresentState: 0xd5,
  unspecified: 0xff,
} as const;

const kindByCompletion = new Map<number, IpmiErrorKind>([
  [completion.nodeBusy, 'busy'],
  [completion.timedOut, 'busy'],
  [completion.outOfSpace, 'busy'],
  [completion.invalidCommand, 'unsupported'],
  [completion.invalidForLun, 'unsupported'],
  [completion.insufficientPrivilege, 'auth'],
]);

/** Returns the error for a completion code other than 0. */
export function completionError(name: string, completionCode: number): IpmiError {
  const kind = kindByCompletion.get(completionCode) ?? 'rejected';
  const code = completionCode.toString(16).padStart(2, '0');
  return new IpmiError(kind, `the BMC responded to ${name} with completion code 0x${code}`, { completionCode });
}

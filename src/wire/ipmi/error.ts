// How a conversation with a BMC can fail, as a closed set: a caller decides by `kind`, never by the text.
// `outcome` matters only after an action: 'unknown' says that it may or may not have run.

export type IpmiErrorKind =
  /** The BMC refuses the user, the password, K_g or the privilege. */
  | 'auth'
  /** No answer before the deadline, or the caller's signal was aborted. */
  | 'timeout'
  /** The BMC has no room or no time now: try later. */
  | 'busy'
  /** The BMC lacks the command, the parameter or the cipher suite. */
  | 'unsupported'
  /** The BMC understood and says no in its present state or for these values. */
  | 'refused'
  /** The answer breaks the protocol. */
  | 'badAnswer';

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

/** The failure that a completion code other than 0 stands for. */
export function completionError(name: string, completionCode: number): IpmiError {
  const kind = kindByCompletion.get(completionCode) ?? 'refused';
  const code = completionCode.toString(16).padStart(2, '0');
  return new IpmiError(kind, `the BMC answered ${name} with completion code 0x${code}`, { completionCode });
}

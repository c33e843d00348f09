// The one error that is meant for a caller. It carries a code of the contract's closed list; what the caller may read and
// what only the log may read are kept apart, so that an internal name cannot slip out.
import { errorKinds, type ErrorCode } from '#contract/errors.ts';

export interface FaultDetail {
  /** Said to the caller instead of the code's own sentence. Never an id, a path, an address of ours or a secret. */
  readonly message?: string;
  /** Parameter name to the reason why its value was refused. */
  readonly fields?: Readonly<Record<string, string>>;
  /** For the log only. */
  readonly internal?: string;
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
}

export class Fault extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly internal: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, detail: FaultDetail = {}) {
    super(detail.message ?? errorKinds[code].message, { cause: detail.cause });
    this.name = 'Fault';
    this.code = code;
    this.status = errorKinds[code].status;
    this.fields = detail.fields;
    this.internal = detail.internal;
    this.retryAfterSeconds = detail.retryAfterSeconds;
  }
}

export function invalid(fields: Record<string, string>): Fault {
  const message = Object.entries(fields)
    .map(([name, reason]) => `${name} ${reason}`)
    .join('; ');
  return new Fault('invalid_parameter', { message: `${message}.`, fields });
}

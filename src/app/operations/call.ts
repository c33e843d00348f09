// A call that changes something: its caller, its work, and the wording of its errors.
import type { Access, Effect } from '#contract/endpoint.ts';
import type { ApiError } from '#lib/api-error.ts';
import type { Caller } from '../caller.ts';
import type { Context, App } from '../app.ts';
import type { BeforeCommit } from './before-commit.ts';

export interface Operation {
  /** API and operation, for example `v2.contactCreate`; the name used in the audit log. */
  readonly name: string;
  readonly effect: Exclude<Effect, 'none'>;
  readonly method: string;
  readonly path: string;
  /** The checked parameters. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Names of the parameters that identify what the call acts on, as the endpoint declares them. */
  readonly target: readonly string[];
  readonly idempotencyKey: string | undefined;
  /**
   * For a message that an eavesdropper could send again: how long that is possible. Until then every outcome is kept, also
   * that it was refused.
   */
  readonly replayWindowMs?: number;
  readonly access: Access;
  readonly ignoresHold?: boolean;
  readonly beforeCommit?: BeforeCommit;
}
export interface ApiResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** A body that is better not joined: its number of characters, and its pieces in UTF-8. */
  readonly long?: { readonly length: number; readonly encode: () => Promise<readonly Buffer[]> };
}
/** The work itself, and how its API words errors. Provided by http. */
export interface Work {
  /** Does slow work that needs only the parameters, such as hashing a password, before any transaction is open. */
  prepare(): Promise<void>;
  run(context: Context): Promise<ApiResponse>;
  reject(error: ApiError): ApiResponse;
}

export interface Call {
  readonly app: App;
  readonly caller: Caller;
  readonly operation: Operation;
  readonly work: Work;
}

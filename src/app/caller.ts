// Who calls, as far as the key tells.
import type { OperatorRole, Permission } from '#contract/roles.ts';
import type { Scope } from '#contract/scopes.ts';
import type { AccountStatus } from '#contract/shapes/account.ts';
import type { AccountId } from '#store/account-id.ts';

export interface Caller {
  /** Of an operator: the provider's own, or the customer's for whom he acts. */
  readonly account: AccountId;
  readonly accountStatus: AccountStatus;
  readonly key: number;
  readonly keyKind: 'key' | 'session';
  /** The sub-account contact whose key it is. */
  readonly contact: number | undefined;
  readonly scopes: ReadonlySet<Scope | Permission>;
  /** Only of the provider's staff. */
  readonly operator?: OperatorCaller;
  readonly address: string;
  readonly requestId: string;
  readonly origin?: PageOrigin;
}

/** Of the page that calls, such as https://panel.example.net; undefined unless a browser says that it is of this very host. */
export type PageOrigin = string | undefined;

export interface OperatorCaller {
  /** Null for a key of the site file, behind which stands no person by name. */
  readonly id: number | null;
  readonly name: string;
  readonly role: OperatorRole;
}

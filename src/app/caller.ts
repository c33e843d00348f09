// The caller of an API, as identified by its key.
import type { LimitedSession } from '#contract/endpoint.ts';
import type { OperatorRole, Permission } from '#contract/roles.ts';
import type { Scope } from '#contract/scopes.ts';
import type { AccountStatus } from '#contract/shapes/account.ts';
import type { DnsLimits } from './dns/limits.ts';
import type { ServiceLimits } from './services/limits.ts';
import type { AccountId } from '#store/account-id.ts';

export interface Caller {
  /** For an operator: the provider's own account, or the customer on whose behalf the call is made. */
  readonly account: AccountId;
  readonly accountStatus: AccountStatus;
  readonly key: number;
  readonly keyKind: 'key' | 'session';
  /** The sub-account contact that the key belongs to. */
  readonly contact: number | undefined;
  readonly scopes: ReadonlySet<Scope | Permission>;
  /** The DNS records that the key is limited to. */
  readonly dnsLimits?: DnsLimits;
  /** The only services that exist for this person or key. */
  readonly services?: ServiceLimits;
  /** Present for staff only. */
  readonly operator?: OperatorCaller;
  /** Present for a session that can do less than others. */
  readonly limited?: LimitedSession;
  /** The name of the member of staff who views the account; present in a support session. */
  readonly supportOperator?: string;
  readonly address: string;
  readonly requestId: string;
  readonly origin?: PageOrigin;
  readonly proxyHeader?: ReadProxyHeader | undefined;
}

/** Origin of the calling page, such as https://panel.example.net; undefined unless a browser reports this very host. */
export type PageOrigin = string | undefined;

/** Returns a header that a trusted proxy set; undefined if there is no such proxy. */
export type ReadProxyHeader = (name: string) => string | undefined;

export interface OperatorCaller {
  /** Null for a key in the site file, which belongs to no named person. */
  readonly id: number | null;
  readonly name: string;
  readonly role: OperatorRole;
}

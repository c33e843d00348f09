// What one tenant was told during the day: every acknowledged call, and what must be true because of it.
import type { Tenant } from './provider.ts';

/** `unknown` if the last call has no honest outcome, because equipment or a process failed during it. */
export type Known<State> = State | 'unknown';

export interface OrderedMachine {
  readonly service: string;
  readonly vmid: string;
  readonly ip: string;
  isDeleted: boolean;
}

export interface Journal {
  readonly tenant: Tenant;
  /** The id of the tenant's zone. */
  zone: string;
  /** By operation. */
  readonly calls: Map<string, { done: number; unknown: number }>;
  /** Ids by name. */
  readonly contacts: Map<string, string>;
  /** Addresses by name. */
  readonly records: Map<string, string>;
  /** Names by address. */
  readonly reverse: Map<string, string>;
  /** By service. */
  readonly power: Map<string, Known<'on' | 'off'>>;
  readonly ports: Map<number, Known<'up' | 'down'>>;
  /** By host name. */
  readonly machines: Map<string, OrderedMachine>;
  /** By name. The action may fail later. */
  readonly snapshots: Map<string, { readonly service: string; readonly action: string }>;
  /** By amount in cents, which is different for each. */
  readonly topUps: Map<number, Known<'done'>>;
  /** Ids of the events on the stream. */
  readonly streamed: string[];
  /** Responses, events and webhooks that contained something of another tenant. */
  readonly leaks: string[];
}

export function openJournal(tenant: Tenant): Journal {
  return {
    tenant,
    zone: '',
    calls: new Map(),
    contacts: new Map(),
    records: new Map(),
    reverse: new Map(),
    power: new Map(),
    ports: new Map(),
    machines: new Map(),
    snapshots: new Map(),
    topUps: new Map(),
    streamed: [],
    leaks: [],
  };
}

/** Records what a tenant received, if it belongs to another one. */
export function noteLeak({ tenant, leaks }: Journal, where: string, text: string): void {
  if (tenant.otherCanaries.some((canary) => text.includes(canary))) leaks.push(`${where}: ${text.slice(0, 300)}`);
}

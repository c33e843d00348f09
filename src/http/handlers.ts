// Every operation's handler, by interface. Typed by the contract: a declaration without a handler does not compile.
import type { faces, FaceName } from '#contract/contract.ts';
import type { Handlers } from '#contract/endpoint.ts';
import { dnsLegacy } from '#contract/legacy/dns.ts';
import { networkLegacy } from '#contract/legacy/network.ts';
import { softwareLegacy } from '#contract/legacy/software.ts';
import { vpsLegacy } from '#contract/legacy/vps.ts';
import { dnsV2 } from '#contract/v2/dns.ts';
import { networkV2 } from '#contract/v2/network.ts';
import type { Context, Visitor } from '#app/yard.ts';
import { billingHandlers } from './legacy/billing.ts';
import { clientHandlers } from './legacy/client.ts';
import { ipmiHandlers } from './legacy/ipmi.ts';
import { notBuiltYet } from './not-built.ts';
import { accountHandlers } from './v2/account.ts';
import { actionHandlers } from './v2/action.ts';
import { eventHandlers } from './v2/event.ts';
import { deviceHandlers } from './v2/device.ts';
import { keyHandlers } from './v2/key.ts';
import { webhookHandlers } from './v2/webhook.ts';

export const handlers: { readonly [F in FaceName]: Handlers<(typeof faces)[F], Context, Visitor> } = {
  v2: {
    ...accountHandlers,
    ...keyHandlers,
    ...eventHandlers,
    ...webhookHandlers,
    ...actionHandlers,
    ...deviceHandlers,
    ...notBuiltYet(dnsV2),
    ...notBuiltYet(networkV2),
  },
  legacy: {
    ...clientHandlers,
    ...billingHandlers,
    ...ipmiHandlers,
    ...notBuiltYet(vpsLegacy),
    ...notBuiltYet(networkLegacy),
    ...notBuiltYet(softwareLegacy),
    ...notBuiltYet(dnsLegacy),
  },
};

// What a customer should look at first, the most urgent on top: out of everything that the overview has read.
import type { Action, Device, DeviceState, InvoiceListItem, Plan, TrafficMonth } from '#sdk/v2.ts';
import { rateText } from '../../parts/amounts.ts';
import { moneyText } from '../../parts/money-text.ts';
import type { Attack } from '../network/attack.ts';
import { actionWords } from '../server/action-words.ts';

export type Place =
  | { readonly page: 'server'; readonly service: string }
  | { readonly page: '/network' | '/invoices' | '/plans' };

export interface Attention {
  readonly id: string;
  readonly urgency: 'now' | 'soon';
  readonly title: string;
  readonly detail: string;
  readonly place: Place;
}

export interface Known {
  readonly devices: readonly Device[];
  readonly states: ReadonlyMap<string, DeviceState>;
  readonly attacks: readonly Attack[];
  readonly invoices: readonly InvoiceListItem[];
  readonly months: ReadonlyMap<string, TrafficMonth>;
  readonly actions: readonly Action[];
  readonly plans: readonly Plan[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

const dayMs = 86_400_000;

export function attentionOf(known: Known): Attention[] {
  const all = [
    ...attacksIn(known),
    ...plansIn(known),
    ...invoicesIn(known),
    ...devicesIn(known),
    ...actionsIn(known),
    ...trafficIn(known),
  ];
  return all.toSorted((one, other) => Number(other.urgency === 'now') - Number(one.urgency === 'now'));
}

function nameOf({ devices }: Known, service: string): string {
  const device = devices.find((each) => each.service === service);
  return device === undefined ? `Service ${service}` : device.hostname || device.name;
}

function attacksIn(known: Known): Attention[] {
  const open = known.attacks.filter(({ end, nullroute }) => end === undefined || (nullroute && !nullroute.until));
  return open.map(({ id, service, address, kind, bits, end, nullroute }) => {
    const isNullrouted = nullroute !== undefined && nullroute.until === undefined;
    return {
      id: `attack ${id}`,
      urgency: 'now',
      title: end === undefined ? `${nameOf(known, service)} is under attack` : `${address} is still null-routed`,
      detail:
        `${kind} on ${address}, at most ${rateText(bits.value)}.` +
        (isNullrouted ? ' The address is null-routed: nothing reaches it.' : ''),
      place: { page: '/network' },
    };
  });
}

function plansIn({ plans }: Known): Attention[] {
  return plans
    .filter(({ status }) => status === 'Pending')
    .map(({ id, summary, hits }) => ({
      id: `plan ${id}`,
      urgency: 'now',
      title: `A plan waits for your decision: ${summary}`,
      detail: hits.join('; '),
      place: { page: '/plans' },
    }));
}

function invoicesIn({ invoices }: Known): Attention[] {
  return invoices
    .filter(({ status }) => status === 'Overdue')
    .map(({ id, invoicenum, total, duedate, currencyprefix }) => ({
      id: `invoice ${id}`,
      urgency: 'now',
      title: `Invoice ${invoicenum} is overdue`,
      detail: `${moneyText(total, currencyprefix)} was due on ${duedate}.`,
      place: { page: '/invoices' },
    }));
}

function devicesIn(known: Known): Attention[] {
  return known.devices.flatMap((device): Attention[] => {
    const { service } = device;
    const place = { page: 'server', service } as const;
    const name = nameOf(known, service);
    const state = known.states.get(service);
    if (device.status === 'Suspended') {
      const detail = 'It cannot be used until the suspension is lifted.';
      return [{ id: `device ${service}`, urgency: 'now', title: `${name} is suspended`, detail, place }];
    }
    if (state === undefined || state.health === 'Good' || state.health === 'Waiting') return [];
    const words = { Unreachable: 'cannot be reached', Maintenance: 'is under maintenance', Locked: 'is locked' };
    const title = `${name} ${words[state.health]}`;
    const urgency = state.health === 'Unreachable' ? 'now' : 'soon';
    return [{ id: `device ${service}`, urgency, title, detail: state.reason, place }];
  });
}

function actionsIn(known: Known): Attention[] {
  const isRecent = ({ ended }: Action): boolean => known.now - Date.parse(`${ended.replace(' ', 'T')}Z`) < dayMs;
  return known.actions
    .filter((action) => action.status === 'Failed' && action.service !== '' && isRecent(action))
    .map((action) => ({
      id: `action ${action.id}`,
      urgency: 'soon',
      title: `${actionWords(action.operation)} failed on ${nameOf(known, action.service)}`,
      detail: action.error,
      place: { page: 'server', service: action.service },
    }));
}

function trafficIn(known: Known): Attention[] {
  return [...known.months].flatMap(([service, month]): Attention[] => {
    const [committed, so, projected] = [Number(month.committed), Number(month['95pct']), Number(month.projected)];
    if (month.committed === '' || projected <= committed) return [];
    const isAbove = so > committed;
    return [
      {
        id: `traffic ${service}`,
        urgency: 'soon',
        title: `${nameOf(known, service)} ${isAbove ? 'is above' : 'is going to be above'} its commitment`,
        detail: `95th percentile ${rateText(so)}, projected ${rateText(projected)}; ${rateText(committed)} is in the price.`,
        place: { page: 'server', service },
      },
    ];
  });
}

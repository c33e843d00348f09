// Collects what needs the customer's attention from the data of the overview, most urgent first.
import type { Action, Device, DeviceState, InvoiceListItem, Plan, TrafficMonth } from '#sdk/v2.ts';
import { rateText } from '../../parts/traffic-units.ts';
import { dateFormats } from '../../parts/dates.ts';
import { moneyText } from '../../parts/money-text.ts';
import type { Attack } from '../network/attack.ts';
import { actionLabel } from '#text/operation-labels.ts';
import { t, tData, tError } from '../../text/text.ts';

export type LinkTarget =
  | { readonly page: 'server'; readonly service: string }
  | { readonly page: 'invoice'; readonly invoice: string }
  | { readonly page: '/network' | '/plans' };

export interface AttentionItem {
  readonly id: string;
  readonly urgency: 'now' | 'soon';
  readonly title: string;
  readonly detail: string;
  readonly link: LinkTarget;
}

export interface OverviewData {
  readonly devices: readonly Device[];
  readonly states: ReadonlyMap<string, DeviceState>;
  readonly attacks: readonly Attack[];
  readonly invoices: readonly InvoiceListItem[];
  readonly months: ReadonlyMap<string, TrafficMonth>;
  readonly actions: readonly Action[];
  readonly plans: readonly Plan[];
  /** Unix milliseconds. */
  readonly now: number;
}

const dayMs = 86_400_000;

export function listAttentionItems(data: OverviewData): AttentionItem[] {
  const all = [
    ...attackItems(data),
    ...planItems(data),
    ...invoiceItems(data),
    ...deviceItems(data),
    ...failedActionItems(data),
    ...trafficItems(data),
  ];
  return all.toSorted((left, right) => Number(right.urgency === 'now') - Number(left.urgency === 'now'));
}

function serverNameOf({ devices }: OverviewData, service: string): string {
  const device = devices.find((candidate) => candidate.service === service);
  return device === undefined ? t('Service {service}', { service }) : device.hostname || device.name;
}

function attackItems(data: OverviewData): AttentionItem[] {
  const unresolved = data.attacks.filter(({ end, nullroute }) => end === undefined || (nullroute && !nullroute.until));
  return unresolved.map(({ id, service, address, kind, bits, end, nullroute }) => {
    const isNullrouted = nullroute !== undefined && nullroute.until === undefined;
    return {
      id: `attack ${id}`,
      urgency: 'now',
      title:
        end === undefined
          ? t('{name} is under attack', { name: serverNameOf(data, service) })
          : t('{address} is still null-routed', { address }),
      detail: [
        t('{kind} on {address}, peak {rate}.', { kind, address, rate: rateText(bits.value) }),
        ...(isNullrouted ? [t('The address is null-routed and receives no traffic.')] : []),
      ].join(' '),
      link: { page: '/network' },
    };
  });
}

function planItems({ plans }: OverviewData): AttentionItem[] {
  return plans
    .filter(({ status }) => status === 'Pending')
    .map(({ id, summary, hits }) => ({
      id: `plan ${id}`,
      urgency: 'now',
      title: t('Approval needed: {summary}', { summary }),
      detail: hits.join('; '),
      link: { page: '/plans' },
    }));
}

function invoiceItems({ invoices }: OverviewData): AttentionItem[] {
  return invoices
    .filter(({ status }) => status === 'Overdue')
    .map(({ id, invoicenum, balance, duedate, currencyprefix }) => ({
      id: `invoice ${id}`,
      urgency: 'now',
      title: t('Invoice {number} is overdue', { number: invoicenum }),
      detail: t('{amount} was due on {day}.', {
        amount: moneyText(balance, currencyprefix),
        day: dateFormats().day(new Date(duedate)),
      }),
      link: { page: 'invoice', invoice: id },
    }));
}

function deviceItems(data: OverviewData): AttentionItem[] {
  return data.devices.flatMap((device): AttentionItem[] => {
    const { service } = device;
    const link = { page: 'server', service } as const;
    const name = serverNameOf(data, service);
    const state = data.states.get(service);
    if (device.status === 'Suspended') {
      const detail = state?.suspension || t('The server is unavailable until the service is resumed.');
      return [{ id: `device ${service}`, urgency: 'now', title: t('{name} is suspended', { name }), detail, link }];
    }
    if (state === undefined || state.health === 'Good' || state.health === 'Waiting') return [];
    const titles = {
      Unreachable: t('{name} is unreachable', { name }),
      Maintenance: t('{name} is under maintenance', { name }),
      Locked: t('{name} is locked', { name }),
    };
    const title = titles[state.health];
    const urgency = state.health === 'Unreachable' ? 'now' : 'soon';
    return [{ id: `device ${service}`, urgency, title, detail: tData(state.reason), link }];
  });
}

function failedActionItems(data: OverviewData): AttentionItem[] {
  const isRecent = ({ ended }: Action): boolean => data.now - Date.parse(`${ended.replace(' ', 'T')}Z`) < dayMs;
  return data.actions
    .filter((action) => action.status === 'Failed' && action.service !== '' && isRecent(action))
    .map((action) => ({
      id: `action ${action.id}`,
      urgency: 'soon',
      title: t('{action} failed on {name}', {
        action: actionLabel(action.operation),
        name: serverNameOf(data, action.service),
      }),
      detail: tError(action.code, action.error),
      link: { page: 'server', service: action.service },
    }));
}

function trafficItems(data: OverviewData): AttentionItem[] {
  return [...data.months].flatMap(([service, month]): AttentionItem[] => {
    const [committed, percentile, projected] = [
      Number(month.committed),
      Number(month['95pct']),
      Number(month.projected),
    ];
    // Empty or 0 if the server has none.
    if (committed === 0 || projected <= committed) return [];
    const isAbove = percentile > committed;
    const name = serverNameOf(data, service);
    return [
      {
        id: `traffic ${service}`,
        urgency: 'soon',
        title: isAbove
          ? t('{name} exceeds its committed rate', { name })
          : t('{name} is projected to exceed its committed rate', { name }),
        detail: t('95th percentile {rate}, projected {projected}, committed {committed}.', {
          rate: rateText(percentile),
          projected: rateText(projected),
          committed: rateText(committed),
        }),
        link: { page: 'server', service },
      },
    ];
  });
}

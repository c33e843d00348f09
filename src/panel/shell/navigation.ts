// The navigation, used by the sidebar, the command palette and the menu on phones.
import type { Permission } from '#contract/roles.ts';
import type { Scope } from '#contract/scopes.ts';
import type { IconName } from './icons.tsx';
import { t } from '../text/text.ts';

export interface NavItem {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** The permission needed to see the item. */
  readonly access: Scope | Permission;
  /** Further search terms for the command palette. */
  readonly keywords: string;
}

function item(to: string, label: string, icon: IconName, access: NavItem['access'], keywords = ''): NavItem {
  return { to, label, icon, access, keywords };
}

/** Of the groups below, in order. The first needs none. */
export const navigationLabels = {
  customer: ['', t('Account'), t('Access and activity')],
  staff: ['', t('Operations'), t('Billing')],
} as const;

export const customerNavigation: readonly (readonly NavItem[])[] = [
  [
    item('/', t('Overview'), 'overview', 'device:read'),
    item('/servers', t('Servers'), 'server', 'device:read', t('machines vps cloud dedicated power')),
    item('/volumes', t('Volumes'), 'disc', 'device:read', t('disks storage machines')),
    item('/dns', 'DNS', 'dns', 'dns:read', t('zones records domains')),
    item(
      '/network',
      t('DDoS & null routes'),
      'shield',
      'network:read',
      t('network events attacks nullroute null-route'),
    ),
    item('/licences', t('Licences'), 'licence', 'software:read', t('software')),
  ],
  [
    item('/invoices', t('Invoices'), 'invoice', 'billing:read', t('billing balance pdf')),
    item('/payments', t('Payments'), 'card', 'billing:read', t('card payment method top up credit charge')),
    item('/statements', t('Statements'), 'book', 'billing:read', t('account statement balance csv')),
    item('/tax', t('Tax data'), 'audit', 'billing:read', t('vat number e-invoice peppol xrechnung')),
    item('/contacts', t('Contacts'), 'people', 'account:read', t('sub-accounts permissions')),
    item('/mail', t('Email'), 'mail', 'account:read', t('messages notifications language unsubscribe')),
  ],
  [
    item('/keys', t('API keys'), 'key', 'account:keys', t('scopes allow-list')),
    item('/ssh-keys', t('SSH keys'), 'console', 'device:read', t('public key install root')),
    item('/webhooks', t('Webhooks'), 'webhook', 'webhook:read', t('deliveries')),
    item('/plans', t('Approvals'), 'plan', 'plan:read', t('plans assistants approve reject mcp')),
    item('/events', t('Events'), 'work', 'event:read', t('activity history')),
    item('/audit', t('Audit log'), 'audit', 'audit:read', t('history changes log')),
  ],
];

export const staffNavigation: readonly (readonly NavItem[])[] = [
  [
    item('/staff', t('Fleet'), 'overview', 'operator:read', t('health alerts drift bmc')),
    item('/staff/racks', t('Racks'), 'rack', 'operator:read'),
    item('/staff/nodes', t('Hypervisors'), 'node', 'operator:read', t('nodes capacity machines vms libvirt lxd')),
    item('/staff/switches', t('Switches'), 'network', 'operator:read', t('ports traffic errors neighbours lldp snmp')),
    item('/staff/services', t('Services'), 'server', 'operator:read', t('suspend terminate provision')),
    item('/staff/customers', t('Customers'), 'people', 'operator:read', t('accounts')),
    item('/staff/addresses', t('IP addresses'), 'address', 'operator:read', t('netblocks prefixes ipam address plan')),
  ],
  [
    item('/staff/sign-ups', t('Sign-ups'), 'person', 'operator:read', t('registrations approve reject invite')),
    item('/staff/requests', t('Requests'), 'request', 'operator:read', t('approve reject')),
    item('/staff/licences', t('Licence keys'), 'licence', 'operator:read', t('orders software deliver')),
    item('/staff/work', t('Jobs'), 'work', 'operator:read', t('work workflows steps failed')),
    item('/staff/sync', t('Background sync'), 'refresh', 'operator:read', t('reconcilers lag instances')),
    item('/staff/runbook', t('Runbooks'), 'book', 'operator:read', t('alerts documentation help')),
    item('/staff/maintenance', t('Maintenance'), 'wrench', 'operator:read', t('planned announcement outage')),
    item('/staff/nullroutes', t('Null routes'), 'shield', 'operator:read'),
    item('/staff/mail', t('Email'), 'mail', 'operator:read', t('messages relay resend preview')),
    item('/staff/audit', t('Audit log'), 'audit', 'operator:read'),
  ],
  [
    item('/staff/billing', t('Billing run'), 'money', 'operator:read'),
    item('/staff/invoices', t('Invoices'), 'invoice', 'operator:read', t('credit notes write off overdue')),
    item('/staff/plans', t('Plans'), 'edit', 'operator:read', t('prices coupons cancellations')),
    item('/staff/receivables', t('Receivables'), 'plan', 'operator:read', t('ageing debtors overdue open')),
    item('/staff/revenue', t('Revenue'), 'graph', 'operator:read', t('reports taxes oss datev csv payments')),
    item('/staff/bank', t('Bank'), 'refresh', 'operator:read', t('sepa direct debit statements transfers camt')),
    item('/staff/tax', t('Tax'), 'audit', 'operator:read', t('vat exchange rates e-invoices evidence')),
  ],
];

// The navigation, used by the sidebar, the command palette and the menu on phones.
import type { Permission } from '#contract/roles.ts';
import type { Scope } from '#contract/scopes.ts';
import type { IconName } from './icons.tsx';

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

export const customerNavigation: readonly (readonly NavItem[])[] = [
  [
    item('/', 'Overview', 'overview', 'device:read'),
    item('/servers', 'Servers', 'server', 'device:read', 'machines vps cloud dedicated power'),
    item('/dns', 'DNS', 'dns', 'dns:read', 'zones records domains'),
    item('/network', 'DDoS & null routes', 'shield', 'network:read', 'network events attacks nullroute null-route'),
    item('/licences', 'Licences', 'licence', 'software:read', 'software'),
  ],
  [
    item('/invoices', 'Invoices', 'invoice', 'billing:read', 'billing balance pdf'),
    item('/contacts', 'Contacts', 'people', 'account:read', 'sub-accounts permissions'),
    item('/mail', 'Email', 'mail', 'account:read', 'messages notifications language unsubscribe'),
  ],
  [
    item('/keys', 'API keys', 'key', 'account:keys', 'scopes allow-list'),
    item('/ssh-keys', 'SSH keys', 'console', 'device:read', 'public key install root'),
    item('/webhooks', 'Webhooks', 'webhook', 'webhook:read', 'deliveries'),
    item('/plans', 'Approvals', 'plan', 'plan:read', 'plans assistants approve reject mcp'),
    item('/audit', 'Audit log', 'audit', 'audit:read', 'history changes log'),
  ],
];

export const staffNavigation: readonly (readonly NavItem[])[] = [
  [
    item('/staff', 'Fleet', 'overview', 'operator:read', 'health alerts drift bmc'),
    item('/staff/racks', 'Racks', 'rack', 'operator:read'),
    item('/staff/services', 'Services', 'server', 'operator:read', 'suspend terminate provision'),
    item('/staff/customers', 'Customers', 'people', 'operator:read', 'accounts'),
    item('/staff/addresses', 'IP addresses', 'address', 'operator:read', 'netblocks prefixes ipam address plan'),
  ],
  [
    item('/staff/requests', 'Requests', 'request', 'operator:read', 'approve reject'),
    item('/staff/licences', 'Licence keys', 'licence', 'operator:read', 'orders software deliver'),
    item('/staff/work', 'Jobs', 'work', 'operator:read', 'work workflows steps failed'),
    item('/staff/sync', 'Background sync', 'refresh', 'operator:read', 'reconcilers lag instances'),
    item('/staff/nullroutes', 'Null routes', 'shield', 'operator:read'),
  ],
  [
    item('/staff/billing', 'Billing run', 'money', 'operator:read'),
    item('/staff/mail', 'Email', 'mail', 'operator:read', 'messages relay resend preview'),
    item('/staff/audit', 'Audit log', 'audit', 'operator:read'),
  ],
];

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
  readonly keywords?: string;
}

export const customerNavigation: readonly (readonly NavItem[])[] = [
  [
    { to: '/', label: 'Overview', icon: 'overview', access: 'device:read' },
    {
      to: '/servers',
      label: 'Servers',
      icon: 'server',
      access: 'device:read',
      keywords: 'machines vps cloud dedicated power',
    },
    { to: '/dns', label: 'DNS', icon: 'dns', access: 'dns:read', keywords: 'zones records domains' },
    {
      to: '/network',
      label: 'DDoS & null routes',
      icon: 'shield',
      access: 'network:read',
      keywords: 'network events attacks nullroute null-route',
    },
    { to: '/licences', label: 'Licences', icon: 'licence', access: 'software:read', keywords: 'software' },
  ],
  [
    { to: '/invoices', label: 'Invoices', icon: 'invoice', access: 'billing:read', keywords: 'billing balance pdf' },
    {
      to: '/contacts',
      label: 'Contacts',
      icon: 'people',
      access: 'account:read',
      keywords: 'sub-accounts permissions',
    },
  ],
  [
    { to: '/keys', label: 'API keys', icon: 'key', access: 'account:keys', keywords: 'scopes allow-list' },
    { to: '/webhooks', label: 'Webhooks', icon: 'webhook', access: 'webhook:read', keywords: 'deliveries' },
    {
      to: '/plans',
      label: 'Approvals',
      icon: 'plan',
      access: 'plan:read',
      keywords: 'plans assistants approve reject mcp',
    },
    { to: '/audit', label: 'Audit log', icon: 'audit', access: 'audit:read', keywords: 'history changes log' },
  ],
];

export const staffNavigation: readonly (readonly NavItem[])[] = [
  [
    { to: '/staff', label: 'Fleet', icon: 'overview', access: 'operator:read', keywords: 'health alerts drift bmc' },
    { to: '/staff/racks', label: 'Racks', icon: 'rack', access: 'operator:read' },
    {
      to: '/staff/services',
      label: 'Services',
      icon: 'server',
      access: 'operator:read',
      keywords: 'suspend terminate provision',
    },
    { to: '/staff/customers', label: 'Customers', icon: 'people', access: 'operator:read', keywords: 'accounts' },
    {
      to: '/staff/addresses',
      label: 'IP addresses',
      icon: 'address',
      access: 'operator:read',
      keywords: 'netblocks prefixes ipam address plan',
    },
  ],
  [
    { to: '/staff/requests', label: 'Requests', icon: 'request', access: 'operator:read', keywords: 'approve reject' },
    { to: '/staff/work', label: 'Jobs', icon: 'work', access: 'operator:read', keywords: 'work workflows steps' },
    { to: '/staff/nullroutes', label: 'Null routes', icon: 'shield', access: 'operator:read' },
  ],
  [
    { to: '/staff/billing', label: 'Billing run', icon: 'money', access: 'operator:read' },
    { to: '/staff/audit', label: 'Audit log', icon: 'audit', access: 'operator:read' },
  ],
];
